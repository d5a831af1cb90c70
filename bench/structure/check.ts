/** Part of `npm run lint`: the rules of the house that are about folders and names, and the picture of the layers. */
import { layersPicture, picturedPage, pictureIn } from './layers-picture.ts';
import { structureProblems } from './problems.ts';
import { sourceFiles } from './source-tree.ts';

const files = sourceFiles();
const problems = [...structureProblems(files)];
if (pictureIn(picturedPage()) !== layersPicture(files))
  problems.push('The picture of the layers is old: run `npm run reference`.');
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`structure: ${files.length} files, no problem`);
