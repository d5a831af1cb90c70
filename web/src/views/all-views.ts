/** The views, in the order of the header. Each is loaded when it is first shown. */
import type { View } from '../shell/view.ts';
import { agentView } from './agent/register.ts';
import { benchView } from './bench/register.ts';
import { fileView } from './file/register.ts';
import { gateView } from './gate/register.ts';
import { projectView } from './project/register.ts';
import { proofView } from './proof/register.ts';

export const ALL_VIEWS: readonly View[] = [projectView, fileView, proofView, agentView, gateView, benchView];
