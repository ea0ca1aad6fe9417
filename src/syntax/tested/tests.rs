//! What is found of each family, in the shapes that its tests are written in.

use super::{Test, tests};

fn all(path: &str, text: &str) -> Vec<Test> {
    tests(path, text, None).map(|tests| tests.all).unwrap_or_default()
}

fn named(path: &str, text: &str) -> Vec<(String, usize, bool, usize)> {
    all(path, text).into_iter().map(|test| (test.name, test.line, test.skip.is_some(), test.asserts)).collect()
}

#[test]
fn tests_of_python_are_found_with_what_skips_and_what_they_assert() {
    let text = "import pytest\n\n@pytest.mark.skip(reason=\"x\")\ndef test_a():\n    assert a\n\n\n@pytest.mark.skipif(WIN, reason='')\ndef test_b(\n    x,\n):\n    \"\"\"Doc.\"\"\"\n    with pytest.raises(E):\n        b()\n    assert b == 1  # assert\n\nclass TestC(T):\n    def test_c(self):\n        self.skipTest('x')\n\n    async def test_d(self):\n        self.assertTrue(True)\n\ndef other():\n    assert 1\n";
    assert_eq!(
        named("test_a.py", text),
        [
            ("test_a".into(), 4, true, 1),
            ("test_b".into(), 9, false, 2),
            ("TestC".into(), 17, false, 1),
            ("test_c".into(), 18, true, 0),
            ("test_d".into(), 21, false, 1)
        ]
    );
}

#[test]
fn tests_of_javascript_are_found_with_what_skips_and_what_they_assert() {
    let text = "describe('a', () => {\n  it(\"b\", async () => {\n    expect(c).toBe(1);\n  });\n  it.skip('d', () => {});\n  xit('e', () => {});\n  test.each([1, 2])('f %s', (g) => { expect(g); expect(true).toBe(true) });\n});\ntest.skip(isCI, 'slow');\nsubmit('x');\n/it/.test('y');\n";
    let found = named("a.test.ts", text);
    let found: Vec<(&str, bool, usize)> =
        found.iter().map(|(name, _, skip, asserts)| (name.as_str(), *skip, *asserts)).collect();
    assert_eq!(found, [("a", false, 3), ("b", false, 1), ("d", true, 0), ("e", true, 0), ("f %s", false, 2)]);
    assert!(all("a.js", "describe.only('a', () => {})").first().is_some_and(|test| test.only && test.is_suite));
}

#[test]
fn tests_of_rust_and_go_are_found_with_what_skips_and_what_they_assert() {
    let text = "#[test]\nfn a() {\n    assert_eq!(b, 1);\n}\n\n#[tokio::test(flavor = \"x\")]\n#[ignore = \"slow\"]\nasync fn c() {\n    assert!(true);\n}\n\n#[derive(Debug)]\nstruct D {}\n\nfn helper() {\n    assert!(e);\n}\n";
    assert_eq!(named("a.rs", text), [("a".into(), 2, false, 1), ("c".into(), 8, true, 1)]);
    let text = "func TestA(t *testing.T) {\n\tt.Skip(\"later\")\n\tif x {\n\t\tt.Fatal(\"y\")\n\t}\n}\n\nfunc TestB(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip()\n\t}\n\trequire.NoError(t, err)\n}\n";
    assert_eq!(named("a_test.go", text), [("TestA".into(), 1, true, 1), ("TestB".into(), 8, false, 1)]);
}

#[test]
fn any_text_is_survived() {
    for path in ["a.py", "a.ts", "a.rs", "a.go", "a.java", "a.kt", "a.cs", "a.php", "a.rb"] {
        for text in [
            "",
            "def test",
            "it(",
            "it('",
            "#[test]\nfn ",
            "func Test",
            "describe.each(",
            "#[test",
            "é it('é",
            "@",
            "@Test",
            "[",
            "[Fact]",
            "@Test fun `é",
            "@Test(",
            "@Test void a(",
            "@Test\nfun a() =",
            "[Fact(Skip = \"é\")]",
            "class",
            "function test",
            "#[Test]\nfunction é",
            "func (",
            "func TestA(t) {\nt.Run(\"é",
            "it \"é\" do",
            "<<~É",
            "x = <<~A\nb",
            "=begin",
            "def test_é",
            "it { é }",
            "skip do",
            "RSpec.describe",
            "public override ",
            "public override é(",
        ] {
            assert!(tests(path, text, None).is_some());
        }
    }
}

#[test]
fn tests_of_junit_and_testng_are_found_by_their_annotations() {
    let text = "package a;\n\n@Disabled(\"later\")\npublic class ATest {\n    @BeforeEach\n    void setUp() {}\n\n    @Test\n    void first() {\n        assertThat(a).isEqualTo(1);\n        verify(b).called();\n    }\n\n    @Test @Ignore(\"x\")\n    public void second() throws E { assertTrue(true); }\n\n    @ParameterizedTest(name = \"{0} (@Test)\")\n    @ValueSource(strings = {\n        \"a\",\n        \"b\"\n    })\n    void third(String c) {\n        assertTrue(true);\n    }\n\n    @org.testng.annotations.Test(enabled = false)\n    public void fourth() {}\n\n    @Test\n    @DisabledOnOs(WINDOWS)\n    void fifth() {\n        if (x) { fail(); }\n    }\n\n    // @Test\n    void helper() { assertTrue(a); }\n}\n";
    assert_eq!(
        named("ATest.java", text),
        [
            ("ATest".into(), 4, true, 6),
            ("first".into(), 9, false, 2),
            ("second".into(), 15, true, 1),
            ("third".into(), 22, false, 1),
            ("fourth".into(), 27, true, 0),
            ("fifth".into(), 31, false, 1),
        ]
    );
    let text = "class BTest {\n  @Test fun plain() {\n    assertEquals(1, a)\n  }\n\n  @Test\n  fun `it's a sentence (of sorts)`() = runTest {\n    expect(b)\n  }\n\n  @Test\n  fun short() =\n    assertFailsWith<E> {\n      c()\n    }\n\n  @RetryingTest(5)\n  fun last() = assertTrue(d)\n}\n";
    let found = named("BTest.kt", text);
    let found: Vec<(&str, usize)> = found.iter().map(|(name, _, _, asserts)| (name.as_str(), *asserts)).collect();
    let want = [("BTest", 4), ("plain", 1), ("it's a sentence (of sorts)", 1), ("short", 1), ("last", 1)];
    assert_eq!(found, want);
}

#[test]
fn tests_of_xunit_nunit_and_mstest_are_found_by_their_attributes() {
    let text = "public class ATests\n{\n    [Fact]\n    public void First()\n    {\n        Assert.Equal(1, a[0]);\n    }\n\n    [Theory, InlineData(1)]\n    [InlineData(\"[Fact]\")]\n    public async Task Second(int b) => await Assert.ThrowsAsync<E>(() => c());\n\n    [Fact(Skip = \"later\")]\n    public void Third() {}\n\n    [Test, Ignore(\"x\")]\n    public void Fourth() { Assert.That(d); }\n\n    [TestMethod]\n    public void Fifth() { Assert.IsTrue(true); }\n\n    [SetUp]\n    public void Before() { }\n\n    public override Task Sixth() => base.Sixth();\n}\n";
    let found = named("ATests.cs", text);
    let found: Vec<(&str, bool)> = found.iter().map(|(name, _, skip, ..)| (name.as_str(), *skip)).collect();
    let want = [
        ("ATests", false),
        ("First", false),
        ("Second", false),
        ("Third", true),
        ("Fourth", true),
        ("Fifth", false),
        ("Sixth", false),
    ];
    assert_eq!(found, want);
    let tests = all("ATests.cs", text);
    assert!(tests[6].is_suite, "it is nothing that could be lost");
}

#[test]
fn tests_of_phpunit_are_found_by_name_attribute_and_remark() {
    let text = "<?php\nclass ATest extends TestCase\n{\n    public function testFirst(): void\n    {\n        $this->assertSame(1, a('{'));\n        self::assertTrue(true);\n    }\n\n    /**\n     * @test\n     */\n    public function it_is_second()\n    {\n        $this->markTestSkipped('later');\n    }\n\n    #[Test]\n    #[DataProvider('x')]\n    public function third($b)\n    {\n        if (! $b) {\n            $this->markTestSkipped('not here');\n        }\n        $this->expectException(E::class);\n    }\n\n    private function testHelper() { }\n\n    /** What the @tests need. */\n    public function provider() { return [function () { return 1; }]; }\n}\n";
    assert_eq!(
        named("ATest.php", text),
        [("testFirst".into(), 4, false, 2), ("it_is_second".into(), 13, true, 0), ("third".into(), 20, false, 1)]
    );
}

#[test]
fn tests_of_rspec_and_minitest_are_found_by_their_blocks_and_names() {
    let text = "RSpec.describe Thing do\n  # it \"no\" do\n  it \"has a #name\" do\n    expect(a).to eq(\"end\")\n    expect(true).to be(true)\n  end\n\n  context 'when b' do\n    xit 'is c' do\n      expect(c).to be\n    end\n\n    it { is_expected.to be_valid }\n\n    it 'is d', skip: 'later' do\n    end\n    it 'is maybe', :skip => windows? do\n      pending { x }\n    end\n\n    it 'is e' do\n      pending 'not yet'\n      expect(e).to be\n    end\n\n    it 'is f' do\n      skip 'x' if windows?\n      expect(f).to be\n    end\n    fit('is g') { expect(g).to be }\n  end\n  let(:it) { test }\nend\n";
    assert_eq!(
        named("a_spec.rb", text),
        [
            ("RSpec.describe Thing do".into(), 1, false, 7),
            ("has a #name".into(), 3, false, 2),
            ("when b".into(), 8, false, 5),
            ("is c".into(), 9, true, 1),
            ("it { is_expected.to be_valid }".into(), 13, false, 1),
            ("is d".into(), 15, true, 0),
            ("is maybe".into(), 17, false, 0),
            ("is e".into(), 21, true, 1),
            ("is f".into(), 26, false, 1),
            ("is g".into(), 30, false, 1),
        ]
    );
    let text = "class ATest < Minitest::Test\n  def test_first\n    sql = <<~SQL\n      it \"no\" do\n    SQL\n    assert_equal sql, a\n    refute b\n  end\n\n  def test_second = assert(c)\n\n  test \"third one\" do\n    skip\n  end\n\n  def helper\n    assert d\n  end\nend\n=begin\n  def test_gone\n  end\n=end\n";
    assert_eq!(
        named("a_test.rb", text),
        [("test_first".into(), 2, false, 2), ("test_second".into(), 10, false, 1), ("third one".into(), 12, true, 0)]
    );
}

#[test]
fn subtests_of_go_are_found_where_all_their_names_are_written_out() {
    let text = "func TestA(t *testing.T) {\n\tt.Run(\"b c\", func(t *testing.T) {\n\t\trequire.True(t, b)\n\t})\n\tt.Run(`d`, func(t *testing.T) {\n\t\tt.Skip(\"later\")\n\t})\n}\n\nfunc (s *Suite) TestE() {\n\tfor _, tt := range f {\n\t\ts.Run(tt.name, func() { s.Equal(1, tt.g) })\n\t}\n\ts.Run(\"h\", func() {})\n}\n";
    assert_eq!(
        named("a_test.go", text),
        [
            ("TestA".into(), 1, false, 1),
            ("TestA/b c".into(), 2, false, 1),
            ("TestA/d".into(), 5, true, 0),
            ("TestE".into(), 10, false, 0),
        ]
    );
    let tables: Vec<bool> = all("a_test.go", text).iter().map(|test| test.is_table).collect();
    assert_eq!(tables, [false, false, false, true]);
}
