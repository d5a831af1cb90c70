/**
 * What Quod says to do and names an operation or an input of one in, inside of texts that others said, too (models, servers, files, provers): the events
 * of a run, the message of a verdict. There only these very words are Quod's own: a face says them in its words, and leaves
 * everything around them as it is.
 */
export const RUN_REMEDIES = {
  nothingLost: 'Nothing that was paid for is lost: `agent_resume` goes on.',
  whatWasSent: '`agent_show` with `context` shows what was sent.',
  largerBudget: 'Go on with `agent_resume` and a larger budget.',
  goOn: 'Go on with `agent_resume`.',
  byItself: 'Try it by itself, then go on with `agent_resume`.',
  fileBack: 'Put the file back, then go on with `agent_resume`.',
  goOnOrAnew:
    'Go on with `agent_resume`, which keeps a change that leaves every statement and definition as it was; else start a new run.',
  startAnew: 'Start a new run on the file as it is now; what this one found is shown by `agent_show`.',
  mendFirst: 'Mend this first: `proof_check` lists all errors of the file.',
  printsIt: '`agent_show` prints it.',
  printsEach: '`agent_show` prints each proof.',
  askBefore: 'Whatever stands before it can be asked about: say where with `line`.',
  moreTime: 'Ask for less, or give it a larger `timeout`.',
  buildFirst: 'Build the project first: `proof_build`.',
  buildWithDune: 'Build the project first: `dune build`, or `proof_build`, which runs it.',
} as const;

/** A text with foreign parts: only Quod's own remedies in it are said with `say`. */
export function sayRemedies(text: string, say: (words: string) => string): string {
  return Object.values(RUN_REMEDIES).reduce((said, own) => said.replaceAll(own, () => say(own)), text);
}
