/** Adds sources to an index until it is killed, and says of each when it is committed. */
import { buildEmbeddedIndex } from '../index/embedded-index.ts';
import { toyEntries } from './toy-vectors.ts';

const [, , folder = '', perSource = '100'] = process.argv;
const builder = await buildEmbeddedIndex({ folder, model: 'toy' });
for (let source = builder.size / Number(perSource); ; source += 1) {
  await builder.add(
    { name: `source ${source}`, hash: 'one' },
    toyEntries(source * Number(perSource), Number(perSource)),
  );
  process.stdout.write(`${builder.size}\n`);
}
