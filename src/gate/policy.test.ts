import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AXIOM_SETS, axiomMatches, axiomsOfSet } from './axiom-sets.ts';
import {
  allowsAxiom,
  allowsAxiomsOfTarget,
  allowsFlag,
  axiomRemedy,
  parsePolicy,
  readPolicy,
} from './policy.ts';

const WHOLE = `
theorems = ["add_zero"]
axioms = ["My.Library.axiom", "Other.*"]
logic = ["excluded-middle", "choice"]
flags = ["vm-compute", "unchecked-guard"]
plugins = ["coq-elpi.elpi"]
commands = ["Elpi"]
definitionsMayChange = ["answer"]
helperLemmas = false
requireSandbox = true
recheck = "always"

[dependencies]
"My.Library" = "sha256:${'0a'.repeat(32)}"

[limits]
time = "1.5m"
processorTime = 30
memory = "2GiB"
processes = 8
disk = "100 MB"
output = 4096
`;

it('every entry is read, from TOML and JSON alike', () => {
  const policy = parsePolicy(WHOLE, 'policy.toml');
  expect(policy.limits).toEqual({
    time: 90_000,
    processorTime: 30_000,
    memory: 2 * 1024 ** 3,
    processes: 8,
    disk: 100_000_000,
    output: 4096,
  });
  expect(policy.helperLemmas).toBe(false);
  const { limits, ...rest } = policy;
  const asJson = {
    ...rest,
    limits: {
      time: '90s',
      processorTime: '30s',
      memory: limits?.memory,
      processes: 8,
      disk: '100MB',
      output: '4096B',
    },
  };
  expect(parsePolicy(JSON.stringify(asJson), 'policy.json')).toEqual(policy);
});

it.each([
  ['{"helperLemmas": false, "helperLemmas": true}'],
  ['{"limits": {"time": "1s", "time": "1h"}}'],
  ['{"axioms": [], "a\\u0078ioms": "target"}'],
])('an entry that JSON gives twice is refused: %s', (text) => {
  expect(() => parsePolicy(text, 'policy.json')).toThrow(/has an entry twice/u);
});

it('the same words in two places of a policy are no entry twice', () => {
  const text = '{"theorems": ["theorems:"], "limits": {"time": "1s"}, "dependencies": {}}';
  expect(parsePolicy(text, 'policy.json').theorems).toEqual(['theorems:']);
});

describe('a policy that is wrong says what and where', () => {
  it.each([
    ['axiom = []', 'there is no entry axiom here; known are theorems, axioms'],
    ['theorems = []', 'theorems: must name a statement'],
    ['axioms = ["*"]', 'must be a full name, or the beginning of names'],
    ['axioms = ["target"]', 'axioms.0: those of the target are allowed by axioms = "target"'],
    ['[limits]\nseconds = 3', 'limits: there is no entry seconds here; known are time,'],
    ['[limits]\ntime = "soon"', 'limits.time: must be a time such as'],
    ['[limits]\nmemory = "8 elephants"', 'limits.memory: must be a size such as'],
    ['[limits]\ntime = 0', 'limits.time'],
    ['logic = ["classicl"]', 'logic.0: Invalid option'],
    ['flags = ["guard"]', 'flags.0: Invalid option'],
    ['[dependencies]\nA = "md5:00"', 'dependencies.A: must be sha256: and 64 hex digits'],
    [`[dependencies]\n"__proto__" = "sha256:${'0'.repeat(64)}"`, 'dependencies: an entry called __proto__'],
    ['axioms = "all"', 'axioms: '],
    ['theorems = []', 'theorems: '],
    [
      'helperLemmas = "yes"\nrecheck = 1',
      'helperLemmas: Invalid input: expected boolean, received string; recheck: ',
    ],
    ['axioms = [', 'The policy is not TOML'],
  ])('%s', (text, message) => {
    expect(() => parsePolicy(text, 'policy.toml')).toThrow(message);
  });

  it('its place too, and other formats are refused', () => {
    expect(() => parsePolicy('a = 1\nb = ]', 'p.toml')).toThrow(
      expect.objectContaining({
        reason: 'invalid-input',
        place: { file: 'p.toml', position: { line: 2, column: 4 } },
      }),
    );
    expect(() => parsePolicy('{', 'p.json')).toThrow('not JSON');
    expect(() => parsePolicy('a: 1', 'p.yaml')).toThrow('.toml or .json');
    expect(() => readPolicy('/nowhere/p.toml')).toThrow(expect.objectContaining({ reason: 'not-found' }));
  });
});

it('is read from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quod-policy-test-'));
  writeFileSync(join(folder, 'p.toml'), WHOLE);
  expect(readPolicy(join(folder, 'p.toml')).theorems).toEqual(['add_zero']);
  rmSync(folder, { recursive: true });
});

describe('axioms', () => {
  const classic = 'Coq.Logic.Classical_Prop.classic';
  it('are those of the target, unless a list is given; sets add to either', () => {
    expect([{}, { axioms: 'target' as const }, { axioms: [] }].map(allowsAxiomsOfTarget)).toEqual([
      true,
      true,
      false,
    ]);
    expect(allowsAxiom({}, classic)).toBe(false);
    expect(allowsAxiom({ logic: ['classical'] }, classic)).toBe(true);
    expect(allowsAxiom({ logic: ['choice'], axioms: [] }, classic)).toBe(false);
    expect(allowsAxiom({ axioms: ['Other.*'] }, 'Other.One.axiom')).toBe(true);
    expect(allowsAxiom({ axioms: ['Other.*'] }, 'Otherwise.axiom')).toBe(false);
    expect(allowsAxiom({ axioms: ['Other.*', 'Coq.*'] }, 'Other.One.axiom', false)).toBe(true);
    expect(allowsAxiom({ axioms: [classic], logic: ['classical'] }, classic, false)).toBe(false);
  });

  it('that are not allowed have a remedy that fits what the policy says', () => {
    for (const policy of [{}, { axioms: 'target' as const }])
      expect(axiomRemedy(classic, false, policy)).toContain('have the target require the library');
    const none = axiomRemedy(classic, false, { axioms: [] });
    expect(none).toContain(`it allows none, whatever the target requires. Add "${classic}"`);
    const others = axiomRemedy(classic, false, { axioms: ['Other.*'] });
    expect(others).toContain('no others, whatever the target requires');
    for (const text of [none, others]) expect(text).not.toContain('have the target require');
    expect(axiomRemedy('M.c', false, { axioms: ['M.*'] })).toContain('add "M.c"');
    expect(axiomRemedy(classic, false, { axioms: [classic] })).not.toContain('dd "');
    expect(axiomRemedy('own', true, { axioms: [] })).toContain('No policy allows');
  });

  it('are known under the standard library’s new names', () => {
    expect(allowsAxiom({ logic: ['excluded-middle'] }, 'Stdlib.Logic.Classical_Prop.classic')).toBe(true);
    expect(axiomMatches('Stdlib.A.b', 'Coq.A.b')).toBe(true);
    expect(axiomMatches('Coq.A.b', 'Mine.A.b')).toBe(false);
  });

  it('of a set are full names or whole libraries', () => {
    for (const set of AXIOM_SETS) {
      expect(axiomsOfSet(set).length).toBeGreaterThan(0);
      for (const name of axiomsOfSet(set)) expect(name).toMatch(/^[A-Za-z_.0-9]+(\.\*)?$/);
    }
  });
});

it('the virtual machine is allowed unless a list of flags leaves it out', () => {
  expect(allowsFlag({}, 'vm-compute')).toBe(true);
  expect(allowsFlag({}, 'native-compute')).toBe(false);
  expect(allowsFlag({ flags: [] }, 'vm-compute')).toBe(false);
});
