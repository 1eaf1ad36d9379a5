import assert from 'node:assert/strict';
import { readsOf } from '../../src/existing/python-reads.ts';

describe('the variables that Python reads', () => {
  const required: [source: string, names: string][] = [
    ['os.environ["A"]', 'A'],
    ["environ['A']", 'A'],
    ['x = os.environ["A"] == "1"', 'A'],
    ['os.environ[ # why\n  "A" ]', 'A'],
    ['os.environ[name]', ''],
    ['os.environ["A" + "B"]', ''],
    ['# os.environ["A"]', ''],
    ['x = "os.environ[\'A\']"', ''],
    ['"""\nos.environ["A"]\n"""', ''],
    ["r'\\' + os.environ['A']", ''],
    ['f"{os.environ["A"]}"', 'A'],
    ["f\"{os.environ['A'].strip():>{os.environ['B']}} {{os.environ['C']}}\"", 'A B'],
    ['f"""\n{\n  os.environ["A"]\n}\n"""', 'A'],
    ['rf"{os.environ[\'A\']}" b"{os.environ[\'B\']}"', 'A'],
    ["'never closed\nos.environ['A']", 'A'],
    ["f'{never closed\nos.environ['A']", 'A'],
    ['"""never closed\nos.environ["A"]', ''],
    ['os.environ["A"] = "1"', ''],
    ['del os.environ["A"]', ''],
    ['if "A" in os.environ:\n  os.environ["A"]', ''],
    ['os.environ["A"] if os.getenv("A") else 1', ''],
    ['REQUIRED_ENV = ["A", "B"]', 'A B'],
    ['REQUIRED_ENV: list[str] = [\n  "A",  # why\n  "B",\n]', 'A B'],
    ['REQUIRED_ENV = []\nOTHER = ["A"]', ''],
    ['for name in REQUIRED_ENV: print("A")', ''],
    ['os.getenv("A")', ''],
  ];
  for (const [source, names] of required) {
    it(`${JSON.stringify(source)} requires ${names || 'nothing'}`, () => {
      assert.equal([...readsOf(source).required].join(' '), names);
    });
  }

  const passed: [source: string, names: string][] = [
    ['Service(api_key=os.getenv("A"))', 'A'],
    ['Service(api_key=os.environ.get("A"), model="x")', 'A'],
    ['Service(a=1, value=getenv("A_TOKEN"))', 'A_TOKEN'],
    ['Service(api_key=os.getenv("A", "none"))', ''],
    ['Service(api_key=os.getenv("A") or "none")', ''],
    ['Service(debug=os.getenv("A"))', ''],
    ['key = os.getenv("A_KEY")\n', ''],
    ['bool(os.getenv("A_KEY"))', ''],
  ];
  for (const [source, names] of passed) {
    it(`${source.trim()} passes on ${names || 'nothing'}`, () => {
      assert.equal([...readsOf(source).passed].join(' '), names);
    });
  }

  const imported: [source: string, modules: string][] = [
    ['import a', 'a'],
    ['import a.b as c, d', 'a.b d'],
    ['from a import b', 'a a.b'],
    ['from a.b import (\n  c,\n  d as e,\n)', 'a.b a.b.c a.b.d'],
    ['from . import a', '. .a'],
    ['from ..a import b', '..a ..a.b'],
    ['x = 1; import a', 'a'],
    ['"import a"\n# import b', ''],
    ['raise Error from error', ''],
  ];
  for (const [source, modules] of imported) {
    it(`${JSON.stringify(source)} imports ${modules || 'nothing'}`, () => {
      assert.equal([...readsOf(source).imports].join(' '), modules);
    });
  }

  it('keeps the variables of transports apart, which the cloud may provide', () => {
    const { required, transport } = readsOf('REQUIRED_ENV = ["A"]\nTRANSPORT_ENV = ["B"]');
    assert.deepEqual([[...required], [...transport]], [['A'], ['B']]);
  });

  it('reads anything in reasonable time, even if it is not Python', () => {
    const parts = ['f"', '{', '}', "'''", '"', '\\', '#', '\n', 'os.environ["', '[', ']', '(', 'import ', '\0', '🦜'];
    for (let seed = 1; seed < 400; seed += 1) {
      const source = Array.from({ length: 60 }, (_, at) => parts[(seed * (at + 7) * (at + seed)) % parts.length]).join(
        '',
      );
      readsOf(source);
    }
    readsOf('f"{'.repeat(5000));
    readsOf('('.repeat(100_000));
  });
});
