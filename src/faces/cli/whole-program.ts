/** The program with every command, those of the operations too, for those who describe it and run none of it. */
import type { Command } from 'commander';
import { CATALOGUE } from '../../operations/catalogue.ts';
import { buildProgram } from './main.ts';
import { addOperationCommands } from './from-operations/operation-commands.ts';

export function wholeProgram(): Command {
  const program = buildProgram(() => {});
  addOperationCommands(program, CATALOGUE, () => {});
  return program;
}
