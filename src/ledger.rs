//! What is paid, kept as a ledger: reserved before a request and settled after it, by everything that asks. Several runs
//! can draw on one, at the same time too: what one has reserved, no other can spend.

use crate::model::Usage;
use crate::plan::Prices;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The most that may be spent.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ceiling {
    /// US dollars.
    pub cost: Option<f64>,
    /// Prompts and replies together.
    pub tokens: Option<u64>,
}

/// What is spent and what is reserved under one [`Ceiling`]. All clones are one.
#[derive(Debug, Clone, Default)]
pub struct Ledger(Arc<Mutex<Book>>);

#[derive(Debug, Default)]
struct Book {
    ceiling: Ceiling,
    paid: Amount,
    reserved: Amount,
}

/// An amount of tokens, and of what they cost as far as prices are known.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Amount {
    tokens: u64,
    dollars: Option<f64>,
}

/// What one run draws from a ledger, at the prices of its model, and how much of it was used. All clones are one.
#[derive(Debug, Clone)]
pub struct Account {
    ledger: Ledger,
    prices: Option<Prices>,
    used: Arc<Mutex<Used>>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Used {
    usage: Usage,
    cost: Option<f64>,
}

/// Money for a request that is about to be sent. What is not settled is free again when this is dropped.
#[derive(Debug)]
#[must_use = "what is reserved is free again at once"]
pub struct Reservation {
    account: Account,
    amount: Amount,
}

/// A request would pass what may be spent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Over {
    /// The option that sets the limit.
    pub option: &'static str,
    pub limit: String,
    /// What everything would come to.
    pub would: String,
}

impl Ledger {
    pub fn new(ceiling: Ceiling) -> Ledger {
        Ledger(Arc::new(Mutex::new(Book { ceiling, ..Book::default() })))
    }

    /// An account for a model with these prices; without any, tokens alone are counted.
    pub fn account(&self, prices: Option<Prices>) -> Account {
        Account { ledger: self.clone(), prices, used: Arc::default() }
    }

    fn with<T>(&self, act: impl FnOnce(&mut Book) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Account {
    /// Reserves what a request is expected to use.
    ///
    /// # Errors
    /// If that, what was spent and what others have reserved come to more than the ledger allows. What a request really
    /// uses is known only afterwards.
    pub fn reserve(&self, expected: &Usage) -> Result<Reservation, Over> {
        let amount = self.amount(expected);
        self.ledger.with(|book| {
            book.allows(amount)?;
            book.reserved += amount;
            Ok(Reservation { account: self.clone(), amount })
        })
    }

    /// What was used on this account, tries that failed among it.
    pub fn usage(&self) -> Usage {
        self.used().usage
    }

    /// US dollars, as far as prices are known.
    pub fn cost(&self) -> Option<f64> {
        self.used().cost
    }

    fn used(&self) -> Used {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn amount(&self, usage: &Usage) -> Amount {
        Amount { tokens: usage.input + usage.output, dollars: self.prices.map(|prices| prices.cost(usage)) }
    }

    /// Books what was used. Returns what it cost.
    fn pay(&self, usage: &Usage) -> Option<f64> {
        let amount = self.amount(usage);
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.usage += *usage;
        used.cost = sum(used.cost, amount.dollars);
        self.ledger.with(|book| book.paid += amount);
        amount.dollars
    }
}

impl Reservation {
    /// Books a try that has failed and has used this all the same. Returns what it cost. The reservation stands, for the
    /// next try.
    pub fn lost(&self, usage: &Usage) -> Option<f64> {
        self.account.pay(usage)
    }

    /// Is there still room for another try?
    pub fn stands(&self) -> Result<(), Over> {
        // What is reserved has this among it.
        self.account.ledger.with(|book| book.allows(Amount::default()))
    }

    /// What the account's run has cost when `usage` is added: for whoever watches an answer come.
    pub fn cost_with(&self, usage: &Usage) -> Option<f64> {
        sum(self.account.cost(), self.account.amount(usage).dollars)
    }

    /// Books what the request has used in place of what was reserved. Returns what it cost.
    pub fn settle(self, usage: &Usage) -> Option<f64> {
        self.account.pay(usage)
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.account.ledger.with(|book| book.reserved -= self.amount);
    }
}

impl Book {
    /// May `next` be spent beside all that is spent and reserved?
    fn allows(&self, next: Amount) -> Result<(), Over> {
        let mut then = self.paid;
        then += self.reserved;
        then += next;
        let over = |option, limit, would| Err(Over { option, limit, would });
        match (self.ceiling.tokens, self.ceiling.cost.zip(then.dollars)) {
            (Some(limit), _) if then.tokens > limit => {
                over("--max-tokens", limit.to_string(), format!("{} tokens", then.tokens))
            }
            (_, Some((limit, cost))) if cost > limit => over("--max-cost", format!("${limit}"), format!("${cost:.4}")),
            _ => Ok(()),
        }
    }
}

impl std::ops::AddAssign for Amount {
    fn add_assign(&mut self, other: Amount) {
        *self = Amount { tokens: self.tokens + other.tokens, dollars: sum(self.dollars, other.dollars) };
    }
}

impl std::ops::SubAssign for Amount {
    fn sub_assign(&mut self, other: Amount) {
        *self = Amount {
            tokens: self.tokens.saturating_sub(other.tokens),
            dollars: sum(self.dollars, other.dollars.map(|dollars| -dollars)),
        };
    }
}

fn sum(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    one.map_or(other, |one| Some(one + other.unwrap_or(0.0)))
}

impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "about {}, over {} {}", self.would, self.option, self.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usage(input: u64, output: u64) -> Usage {
        Usage { input, output, ..Usage::default() }
    }

    fn prices() -> Option<Prices> {
        Some(Prices::new(1.0, 1.0, 1.0, 10.0))
    }

    #[test]
    fn the_next_request_counts_together_with_all_that_was_used() {
        let account = Ledger::new(Ceiling { cost: Some(1.0), tokens: Some(500_000) }).account(prices());
        assert_eq!(account.reserve(&usage(1, 1)).unwrap().settle(&usage(200_000, 20_000)), Some(0.4));
        assert_eq!((account.usage(), account.cost()), (usage(200_000, 20_000), Some(0.4)));
        assert!(account.reserve(&usage(200_000, 40_000)).is_ok());
        let over = |next| account.reserve(&next).unwrap_err().to_string();
        assert_eq!(over(usage(200_000, 40_001)), "about $1.0000, over --max-cost $1");
        assert_eq!(over(usage(280_001, 0)), "about 500001 tokens, over --max-tokens 500000");
    }

    #[test]
    fn what_one_has_reserved_no_other_can_spend_until_it_is_settled_or_given_back() {
        let ledger = Ledger::new(Ceiling { tokens: Some(100), ..Ceiling::default() });
        let (one, other) = (ledger.account(None), ledger.account(prices()));
        let reserved = one.reserve(&usage(60, 10)).unwrap();
        assert_eq!(other.reserve(&usage(31, 0)).unwrap_err().would, "101 tokens");
        let small = other.reserve(&usage(30, 0)).unwrap();
        drop(reserved);
        assert!(other.reserve(&usage(70, 0)).is_ok());
        small.settle(&usage(20, 5));
        assert!(one.reserve(&usage(75, 0)).is_ok() && one.reserve(&usage(76, 0)).is_err());
        assert_eq!((one.usage(), one.cost()), (Usage::default(), None));
        assert_eq!((other.usage(), other.cost().is_some()), (usage(20, 5), true));
    }

    #[test]
    fn tries_that_failed_are_paid_and_the_reservation_stands_as_long_as_there_is_room_for_it() {
        let account = Ledger::new(Ceiling { tokens: Some(100), ..Ceiling::default() }).account(prices());
        let reserved = account.reserve(&usage(40, 0)).unwrap();
        assert_eq!(reserved.stands(), Ok(()));
        reserved.lost(&usage(40, 0));
        assert_eq!(reserved.stands(), Ok(()));
        reserved.lost(&usage(40, 0));
        assert_eq!(reserved.stands().unwrap_err().would, "120 tokens");
        drop(reserved);
        assert_eq!(account.usage(), usage(80, 0));
        assert!(account.reserve(&usage(20, 0)).is_ok());
    }

    #[test]
    fn the_cost_of_an_answer_that_comes_is_told_with_what_the_run_has_cost() {
        let account = Ledger::default().account(prices());
        account.reserve(&usage(1, 1)).unwrap().settle(&usage(1_000_000, 0));
        let reserved = account.reserve(&usage(1, 1)).unwrap();
        assert_eq!(reserved.cost_with(&usage(0, 100_000)), Some(2.0));
        assert_eq!(account.cost(), Some(1.0));
    }
}
