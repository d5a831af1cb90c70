import { expect, it } from 'vitest';
import { findExecutable } from './executable.ts';

it('finds the first name that PATH has, and paths as they are', () => {
  const environment = { PATH: '/no/such/folder:relative:/bin' };
  expect(findExecutable(['no-such-program', 'sh'], environment)).toBe('/bin/sh');
  expect(findExecutable(['/bin/sh'], { PATH: '' })).toBe('/bin/sh');
  expect(findExecutable(['/bin', '/etc/passwd', 'sh'], { PATH: '' })).toBeUndefined();
});
