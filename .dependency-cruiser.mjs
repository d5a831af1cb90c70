import { readFileSync } from 'node:fs';

// The direction of imports of docs/contribute/architecture.md, from the bottom up. A layer may import itself and anything below it.
const layers = JSON.parse(readFileSync(new URL('lint/layers.json', import.meta.url), 'utf8'));

// The rooms of the gate on HOL4, from the bottom up, likewise.
const roomsOfHol4 = ['kernel', 'trace', 'replay', 'theory', 'judge'];

const above = (index) => layers.slice(index + 1).flat();

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    ...layers.flatMap((names, index) =>
      above(index).length === 0
        ? []
        : [
            {
              name: `${names.join('-')}-imports-upwards`,
              severity: 'error',
              from: { path: `^src/(${names.join('|')})/` },
              to: { path: `^src/(${above(index).join('|')})/` },
            },
          ],
    ),
    {
      name: 'provers-are-strangers',
      comment: 'Each prover is a part of its own; what two share belongs in core or process.',
      severity: 'error',
      from: { path: '^src/provers/([^/]+)/' },
      to: { path: '^src/provers/', pathNot: '^src/provers/$1/' },
    },
    {
      name: 'gate-trusts-nobody',
      comment: 'A judge must not run code of the one it judges.',
      severity: 'error',
      from: { path: '^src/gate/' },
      to: { path: '^src/(search|agent|retrieval|mining)/' },
    },
    ...roomsOfHol4.slice(0, -1).map((room, index) => ({
      name: `hol4-${room}-imports-upwards`,
      severity: 'error',
      from: { path: `^src/gate/hol4/${room}/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^src/gate/hol4/(${roomsOfHol4.slice(index + 1).join('|')}|testing)/` },
    })),
    {
      name: 'search-refute-and-agent-are-strangers',
      severity: 'error',
      from: { path: '^src/(search|refute|agent)/' },
      to: { path: '^src/(search|refute|agent)/', pathNot: '^src/$1/' },
    },
    {
      name: 'rooms-of-search',
      comment:
        'What is tried knows nothing of how it is searched, written or stored; only the files beside the rooms see all.',
      severity: 'error',
      from: { path: '^src/search/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/search/', pathNot: '^src/search/($1|candidates|libraries)/' },
    },
    {
      name: 'libraries-offer-no-candidates',
      severity: 'error',
      from: { path: '^src/search/libraries/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/search/candidates/' },
    },
    {
      name: 'printed-goals-are-text',
      comment:
        'Terms and goals as Rocq prints them are read without a session, so that everything can stand on them.',
      severity: 'error',
      from: { path: '^src/provers/rocq/goals/' },
      to: { path: '^src/', pathNot: '^src/(core|provers/rocq/goals)/' },
    },
    {
      name: 'rest-and-mcp-are-strangers',
      comment: 'What admits a caller knows neither; the server puts them together.',
      severity: 'error',
      from: { path: '^src/faces/(access|rest|mcp)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/faces/(rest|mcp)/', pathNot: '^src/faces/$1/' },
    },
    {
      name: 'definitions-know-no-operation',
      comment: 'What an operation is stands below every one of them.',
      severity: 'error',
      from: { path: '^src/operations/(definition|files)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/operations/', pathNot: '^src/operations/(definition|files)/' },
    },
    {
      name: 'rooms-of-the-command-line',
      comment:
        'Commands are found by the files beside the rooms; a room knows the terminal, the exit codes and nothing else of them.',
      severity: 'error',
      from: { path: '^src/faces/cli/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/faces/cli/', pathNot: '^src/faces/cli/($1|terminal|exit)/' },
    },
    {
      name: 'core-is-alone',
      severity: 'error',
      from: { path: '^src/core/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/', pathNot: '^src/core/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  },
};
