/** Draws the layers into docs/README.md anew. Part of `npm run reference`. */
import { writePicture } from './layers-picture.ts';
import { sourceFiles } from './source-tree.ts';

writePicture(sourceFiles());
