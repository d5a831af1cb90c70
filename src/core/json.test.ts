import { expect, test } from 'vitest';
import { jsonFault } from './json.ts';

test.each([
  'sk-hunter2hunter2',
  '{"key": sk-hunter2}',
  '{"a": "b"}, "sk-hunter2"',
  '{"key":\n"sk-hunter2" "b"}',
  '',
])('why %j is no JSON is told without what stands in it', (text) => {
  let fault = '';
  try {
    JSON.parse(text);
  } catch (error) {
    fault = jsonFault(error);
  }
  expect(fault).toMatch(/JSON/u);
  expect(fault).not.toMatch(/hunter|sk-/u);
});
