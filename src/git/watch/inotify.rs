//! Told by Linux's inotify, which puts the news of a change into the queue before the call that makes it returns.

use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};
use rustix::io::Errno;
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// Of what a user may watch, a run takes this part at most: editors want some, too.
const OUR_PART: usize = 4;
const LIMIT: &str = "/proc/sys/fs/inotify/max_user_watches";

/// All that can make a file another one, or a folder.
const CHANGES: WatchFlags = WatchFlags::MODIFY
    .union(WatchFlags::CLOSE_WRITE)
    .union(WatchFlags::ATTRIB)
    .union(WatchFlags::CREATE)
    .union(WatchFlags::DELETE)
    .union(WatchFlags::MOVE)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MOVE_SELF)
    .union(WatchFlags::ONLYDIR)
    .union(WatchFlags::DONT_FOLLOW);

/// A folder went, or some of the news is lost.
const UNKNOWN: ReadFlags = ReadFlags::DELETE_SELF
    .union(ReadFlags::MOVE_SELF)
    .union(ReadFlags::IGNORED)
    .union(ReadFlags::UNMOUNT)
    .union(ReadFlags::QUEUE_OVERFLOW);

pub(in crate::git) struct Watch {
    root: PathBuf,
    queue: OwnedFd,
    /// Paths below the root, by the numbers that the news have.
    folders: HashMap<i32, String>,
}

impl Watch {
    /// Watches these folders below `root`, but not what is below them. `None` where that is not possible.
    pub fn begin<'f>(root: &Path, folders: impl ExactSizeIterator<Item = &'f str>) -> Option<Watch> {
        let most: usize = fs::read_to_string(LIMIT).ok()?.trim().parse().ok()?;
        if folders.len() > most / OUR_PART {
            return None;
        }
        let queue = init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).ok()?;
        let mut watch = Watch { root: root.to_owned(), queue, folders: HashMap::with_capacity(folders.len()) };
        for folder in folders {
            watch.add(folder)?;
        }
        Some(watch)
    }

    /// Watches the folders of this path, too. False where that is not possible.
    pub fn cover(&mut self, path: &str) -> bool {
        let folders = path.match_indices('/').filter_map(|(end, _)| path.get(..end));
        folders.into_iter().all(|folder| self.add(folder).is_some())
    }

    fn add(&mut self, folder: &str) -> Option<()> {
        let number = add_watch(&self.queue, self.root.join(folder), CHANGES).ok()?;
        self.folders.insert(number, folder.to_owned());
        Some(())
    }

    /// What has happened since the last call: the paths of files that may be others now, or be gone, or be new. `None` if
    /// that is not known, now or ever again.
    pub fn touched(&mut self) -> Option<BTreeSet<String>> {
        let mut space = vec![MaybeUninit::uninit(); 1 << 16];
        let mut news = Reader::new(&self.queue, &mut space);
        let mut touched = BTreeSet::new();
        loop {
            let event = match news.next() {
                Ok(event) => event,
                Err(Errno::AGAIN) => return Some(touched),
                Err(Errno::INTR) => continue,
                Err(_) => return None,
            };
            if event.events().intersects(UNKNOWN) {
                return None;
            }
            // Of a folder inside another the folder itself tells, if it is watched; of the folder itself there is no name.
            let Some(name) = event.file_name().filter(|_| !event.events().contains(ReadFlags::ISDIR)) else { continue };
            let (folder, name) = (self.folders.get(&event.wd())?, name.to_str().ok()?);
            touched.insert(if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") });
        }
    }
}
