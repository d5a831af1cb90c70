/**
 * Writes a specification for `quod bench run`: 50 theorems of Debian's libraries, by length as in the RocqStar paper's smaller
 * set (22, 16, 12), those that Rocq replays fastest, and every method that one model makes possible.
 *   npx node bench/agent-spec.ts MODEL [URL] > spec.json     such as ngram/tiny http://127.0.0.1:9009/v1
 */
import { coqFolder } from './search/coqc.ts';
import { libraryNamed, loadPathOptions, readTasks } from './search/task.ts';

const LIBRARIES = ['ext-lib', 'stdlib'];
const SIZES = { '≤ 4': 22, '5–8': 16, '9–20': 12 } as const;

const [model, url] = process.argv.slice(2);
if (model === undefined) throw new Error('Name a model.');
const where = coqFolder();
const chosen = Object.entries(SIZES).flatMap(([stratum, count]) =>
  readTasks('report')
    .tasks.filter((task) => task.stratum === stratum && LIBRARIES.includes(task.library))
    .toSorted((one, other) => one.replaySeconds - other.replaySeconds)
    .slice(0, count),
);
const provider = model.slice(0, model.indexOf('/'));
const asked = {
  model,
  ...(url !== undefined && { providers: { [provider]: { url, free: true } } }),
  searchFirst: false,
};
const fewShot = { ...asked, mode: 'few-shot' };
const loadPath = Object.fromEntries(
  LIBRARIES.flatMap((name) => {
    const options = loadPathOptions(libraryNamed(name), where);
    return options[1] === undefined ? [] : [[options[1], options]];
  }),
);
const spec = {
  name: `50 theorems of Debian’s ExtLib and standard library, ${model}, names hidden`,
  hideNames: true,
  theorems: chosen.map(({ source, theorem }) => ({ file: `${where}/${source}`, theorem })),
  loadPath,
  methods: [
    { name: 'search', settings: { searchSeconds: 15 } },
    { name: 'few-shot, 7 nearest proofs', settings: fewShot },
    { name: 'few-shot, no retrieval', settings: { ...fewShot, examples: 0 } },
    { name: 'few-shot, three rounds', settings: { ...fewShot, rounds: 3 } },
    { name: 'agent, direct plans', settings: { ...asked, planning: 'direct' } },
    { name: 'agent, debate', settings: asked },
    { name: 'agent, debate, search first', settings: { ...asked, searchFirst: true } },
  ],
};
console.log(JSON.stringify(spec, undefined, 1));
