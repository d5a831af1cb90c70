import { expect, test } from 'vitest';
import { mcpLaunch } from '../agent/agent-task.ts';
import { offeredOperations } from './offered-operations.ts';

const areasOffered = (choice: Parameters<typeof offeredOperations>[0]) =>
  new Set(offeredOperations(choice).map(({ area }) => area));

test('of an area that is left out nothing can be called', () => {
  expect(areasOffered({})).toContain('agent');
  for (const choice of [{}, { tools: 'core' }, { tools: 'all' }, { tools: 'rocq,agent' }]) {
    const offered = areasOffered({ ...choice, without: 'agent' });
    expect(offered).toContain('rocq');
    expect(offered).not.toContain('agent');
  }
  expect(() => offeredOperations({ without: 'agents' })).toThrow('There are no tools called agents.');
});

test('another agent gets no runs of the agent: they would be paid beside its limits', () => {
  const task = { file: '/work/T.md' } as Parameters<typeof mcpLaunch>[0];
  expect(mcpLaunch(task).args.slice(1)).toEqual(['mcp', '--without', 'agent', '--workspace', '/work']);
});
