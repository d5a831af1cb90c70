/** The views, in the order of the header. Each is loaded when it is first shown. */
import type { View } from '../shell/view.ts';
import { projectView } from './project/register.ts';
import { fileView } from './file/register.ts';

export const ALL_VIEWS: readonly View[] = [projectView, fileView];
