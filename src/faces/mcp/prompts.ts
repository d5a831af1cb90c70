/** The prompts that a person can pick in a client: what to do, with which tools, and when to stop. */
import type { McpPrompt } from './surface.ts';

const FILE = { name: 'file', description: 'A file of the workspace.', required: true };

export const PROMPTS: readonly McpPrompt[] = [
  prompt({
    name: 'prove_theorem',
    title: 'Prove a theorem',
    description: 'Finds a proof of one theorem of a file, puts it into the file and has it judged.',
    parameters: [FILE, { name: 'theorem', description: 'The name of the theorem.', required: true }],
    text: ({ file, theorem }) => `Prove ${theorem} in ${file}.

1. Read the statement with rocq_theorem and what stands before it with rocq_outline.
2. Open a session with rocq_open and look at the goals.
3. Look for something alike with rocq_similar_proofs, and for lemmas with rocq_search; try proof_search once, it may be enough.
4. Try several tactics from the same state with rocq_try; go on from the state of the best one.
5. Check the whole proof with rocq_check_proof. When it fails, keep its valid prefix and go on from the state that it names.
6. When the answer is proved, put the proof into the file with rocq_fill and compile the file with rocq_compile.

Do not change the statement, and do not use Admitted, admit or new axioms. If the statement is false, say so with a counterexample.`,
  }),
  prompt({
    name: 'repair_file',
    title: 'Repair a file',
    description: 'Makes a file compile again, for instance after a change of the prover or of a library.',
    parameters: [FILE],
    text: ({ file }) => `Make ${file} compile without changing what its theorems say.

1. List all errors with rocq_compile; begin with the first, since later ones may follow from it.
2. For a broken proof, open a session at the theorem with rocq_open and find out with rocq_check_proof how far the old proof gets.
3. For a name that is gone, look for it with rocq_locate, rocq_search and rocq_about.
4. Put each repaired proof into the file with rocq_fill, and compile again.

Stop when rocq_compile has no error left. Name every statement or definition that you had to change, and why.`,
  }),
  prompt({
    name: 'explain_proof',
    title: 'Explain a proof',
    description: 'Explains a proof step by step from the goals that the prover shows.',
    parameters: [FILE, { name: 'theorem', description: 'The name of the theorem.', required: true }],
    text: ({
      file,
      theorem,
    }) => `Explain the proof of ${theorem} in ${file} to somebody who knows the mathematics but not the proof assistant.

Read it with rocq_theorem and see with rocq_goals what each step does to the goals. Say what the idea is, which lemmas carry it (rocq_about), and on which axioms it rests (rocq_assumptions). Change nothing.`,
  }),
];

interface PromptText {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
  readonly text: (values: Readonly<Record<string, string>>) => string;
}

function prompt({ name, title, description, parameters, text }: PromptText): McpPrompt {
  return {
    listing: { name, title, description, arguments: [...parameters] },
    get: (values) => ({
      description,
      messages: [{ role: 'user', content: { type: 'text', text: text(values) } }],
    }),
  };
}
