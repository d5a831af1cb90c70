// Prints from vitest's JSON report what failed, and last `N passed, N failed, N skipped`. A test file that could not be
// loaded or did not come to its end, and a step of .ci/run that failed with every test green, count as one failure each: a
// run with no failure has none anywhere. Files of a second report stand in the place of the same files of the first.
import { readFileSync } from 'node:fs';

const [reportFile, failedSteps, againFile] = process.argv.slice(2);

/** The test files of a report by name; none where there is no report. */
function filesOf(path) {
  try {
    return new Map(JSON.parse(readFileSync(path, 'utf8')).testResults.map((file) => [file.name, file]));
  } catch {
    return new Map();
  }
}

let passed = 0;
let failed = 0;
let skipped = 0;
for (const { name, status, message, assertionResults } of new Map([
  ...filesOf(reportFile),
  ...filesOf(againFile),
]).values()) {
  const failures = assertionResults.filter((test) => test.status === 'failed');
  const ended = assertionResults.filter((test) => test.status === 'passed');
  passed += ended.length;
  failed += failures.length;
  skipped += assertionResults.length - ended.length - failures.length;
  for (const { fullName, failureMessages } of failures)
    console.log(`::: failed: ${name}: ${fullName}\n${failureMessages.join('\n').slice(0, 1000)}`);
  if (status === 'failed' && failures.length === 0) {
    failed += 1;
    console.log(`::: failed: ${name}\n${message.slice(0, 1000)}`);
  }
}
if (failed === 0) failed = Number(failedSteps);
if (failed === 0 && passed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
