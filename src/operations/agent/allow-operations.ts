/** What the settings of a folder or of a run reach for, and the word of a person that allows it. */
import { z } from 'zod';
import { settingsHere } from '../../agent/configuration/layers.ts';
import { allow, permissionsHere } from '../../agent/configuration/permissions.ts';
import { addressReach, reachesOf } from '../../agent/configuration/reach.ts';
import { foldRun } from '../../agent/runs/fold.ts';
import { findRun, readRun, runsFolder } from '../../agent/runs/run-log.ts';
import { isVariableName, mergeSettings } from '../../agent/settings.ts';
import { hasCredentials } from '../../agent/address-credentials.ts';
import { QuodError } from '../../core/errors.ts';
import type { Reach } from '../../process/foreign-folder/allowed.ts';
import { defineOperation } from '../definition/operation.ts';

const reachFields = z.object({
  kind: z.enum(['address', 'program']),
  address: z.string().nullable(),
  host: z.string().nullable().describe('The machine that the address leads to.'),
  key_variable: z.string().nullable().describe('The variable of the environment whose key it gets.'),
  program: z.string().nullable(),
  allowed: z.boolean(),
});

function written(reach: Reach, allowed: boolean): z.output<typeof reachFields> {
  return reach.kind === 'address'
    ? {
        ...{ kind: reach.kind, address: reach.address, host: new URL(reach.address).host },
        ...{ key_variable: reach.keyVariable, program: null, allowed },
      }
    : { kind: reach.kind, address: null, host: null, key_variable: null, program: reach.program, allowed };
}

function placeOf(folder: string) {
  return { folder, environment: process.env };
}

const agentReaches = defineOperation({
  name: 'agent_reaches',
  area: 'agent',
  title: 'What the settings reach for',
  summary:
    'Lists the addresses with the variables of their keys and the programs that the settings here name, and which of them the user allowed.',
  details:
    'Servers that Quod knows by name are not among them. A run is not begun while one of those that it would use is not allowed.',
  input: z.object({ run: z.string().optional().describe('Of the log of this run, instead of the folder.') }),
  output: z.object({ reaches: z.array(reachFields) }),
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  defaultTimeout: 30,
  positional: ['run'],
  render: ({ reaches }) =>
    reaches
      .map(
        ({ address, program, key_variable, allowed }) =>
          `${allowed ? 'allowed    ' : 'not allowed'}  ${address ?? `program ${JSON.stringify(program)}`}${key_variable === null ? '' : `  with the key in ${key_variable}`}`,
      )
      .join('\n'),
  run: ({ run }, { workspace }) => {
    const place = placeOf(workspace.root);
    const permissions = permissionsHere(place);
    const reaches = reachesOf(
      run === undefined ? mergeSettings(settingsHere(place, {})) : settingsOf(run, place.folder),
    );
    return Promise.resolve({ reaches: reaches.map((reach) => written(reach, permissions.allows(reach))) });
  },
});

function settingsOf(run: string, folder: string) {
  const runs = runsFolder(folder);
  const state = foldRun(readRun(runs, findRun(runs, run)));
  if (state === undefined) throw new QuodError('invalid-input', `Run ${run} ended before it began.`);
  return state.settings;
}

const agentAllow = defineOperation({
  name: 'agent_allow',
  area: 'agent',
  title: 'Allow an address or a program',
  summary: 'Remembers that the user lets runs in this folder reach an address with a key, or run a program.',
  details:
    'Kept in the user’s own configuration (`~/.config/quod/allowed.json`), which is where it is taken back. No model is offered this.',
  input: z.object({
    address: z
      .url({ protocol: /^https?$/u })
      .optional()
      .describe('Of the server, as the settings have it.'),
    key_variable: z.string().optional().describe('The variable whose key it may have; default: none.'),
    program: z.string().optional(),
  }),
  output: z.object({ allowed: z.array(reachFields) }),
  annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  forPeople: true,
  defaultTimeout: 30,
  render: ({ allowed }) =>
    allowed.map(({ address, program }) => `Allowed here: ${address ?? String(program)}`).join('\n'),
  run: async ({ address, key_variable = null, program }, { workspace }) => {
    if (address !== undefined && hasCredentials(address))
      throw new QuodError('invalid-input', 'The address holds more than a scheme, a host and a path.', {
        remedy: 'Leave passwords and keys out: a key is given by the variable that holds it.',
      });
    if (key_variable !== null && !isVariableName(key_variable))
      throw new QuodError('invalid-input', 'That is not the name of a variable of the environment.', {
        remedy: 'Name the variable, not the key that it holds.',
      });
    const reaches: Reach[] = [
      ...(address === undefined ? [] : [addressReach(address, key_variable)]),
      ...(program === undefined ? [] : [{ kind: 'program' as const, program }]),
    ];
    if (reaches.length === 0)
      throw new QuodError('invalid-input', 'Nothing was named that is to be allowed.', {
        remedy: 'Name the address, with the variable of its key, or the program.',
      });
    await allow(placeOf(workspace.root), reaches);
    return { allowed: reaches.map((reach) => written(reach, true)) };
  },
});

export const ALLOW_OPERATIONS = [agentReaches, agentAllow] as const;
