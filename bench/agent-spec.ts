/**
 * Writes a specification for `quod bench run`: 50 theorems of Debian's libraries, by length as in the RocqStar
 * paper's smaller set (22, 16, 12), those that Rocq replays fastest, and every method that needs no hosted model:
 * the search, few-shot with each of the models, the agent with the first of them.
 *   npx node bench/agent-spec.ts MODEL URL [MODEL URL] > spec.json     such as ngram/tiny http://127.0.0.1:9009/v1
 */
import { coqFolder } from './search/coqc.ts';
import { libraryNamed, loadPathOptions, readTasks } from './search/task.ts';

const LIBRARIES = ['ext-lib', 'stdlib'];
const SIZES = { '≤ 4': 22, '5–8': 16, '9–20': 12 } as const;

const words = process.argv.slice(2);
const models = words.flatMap((model, at) => (at % 2 === 0 ? [{ model, url: words[at + 1] }] : []));
if (models.length === 0) throw new Error('Name a model and the address of its server.');
/** The models run on the processors that Rocq runs on. */
const LIMITS = { samples: 4, maxOutputTokens: 160, maxTime: 120 } as const;
const where = coqFolder();
const chosen = Object.entries(SIZES).flatMap(([stratum, count]) =>
  readTasks('report')
    .tasks.filter((task) => task.stratum === stratum && LIBRARIES.includes(task.library))
    .toSorted((one, other) => one.replaySeconds - other.replaySeconds)
    .slice(0, count),
);
const asked = models.map(({ model, url }) => ({
  model,
  ...(url !== undefined && {
    providers: { [model.slice(0, model.indexOf('/'))]: { url, free: true } },
  }),
  searchFirst: false,
  ...LIMITS,
}));
const [first] = asked;
const loadPath = Object.fromEntries(
  LIBRARIES.flatMap((name) => {
    const options = loadPathOptions(libraryNamed(name), where);
    return options[1] === undefined ? [] : [[options[1], options]];
  }),
);
const spec = {
  name: '50 theorems of Debian’s ExtLib and standard library, names hidden',
  hideNames: true,
  theorems: chosen.map(({ source, theorem }) => ({ file: `${where}/${source}`, theorem })),
  loadPath,
  methods: [
    { name: 'search', settings: { searchSeconds: 15 } },
    ...asked.flatMap((settings) => {
      const fewShot = { ...settings, mode: 'few-shot' };
      return [
        { name: `few-shot ${settings.model}, 7 nearest proofs`, settings: fewShot },
        { name: `few-shot ${settings.model}, no retrieval`, settings: { ...fewShot, examples: 0 } },
      ];
    }),
    ...(['jaccard', 'bm25'] as const).map((ranker) => ({
      name: `few-shot ${first?.model}, 7 nearest by ${ranker}`,
      settings: { ...first, mode: 'few-shot', ranker },
    })),
    { name: `few-shot ${first?.model}, three rounds`, settings: { ...first, mode: 'few-shot', rounds: 3 } },
    { name: `agent ${first?.model}, direct plans`, settings: { ...first, planning: 'direct' } },
    { name: `agent ${first?.model}, debate`, settings: { ...first, planning: 'debate' } },
    {
      name: `agent ${first?.model}, debate, search first`,
      settings: { ...first, planning: 'debate', searchFirst: true },
    },
  ],
};
console.log(JSON.stringify(spec, undefined, 1));
