// Prints from vitest's JSON report what failed, and last `N passed, N failed, N skipped`. A test file that could not be
// loaded, and a step of .ci/run that failed with every test green, count as one failure each: a run with no failure has
// none anywhere.
import { readFileSync } from 'node:fs';

const [reportFile, failedSteps] = process.argv.slice(2);
let passed = 0;
let failed = 0;
let skipped = 0;
try {
  const report = JSON.parse(readFileSync(reportFile, 'utf8'));
  passed = report.numPassedTests;
  failed = report.numFailedTests;
  skipped = report.numPendingTests + report.numTodoTests;
  for (const { name, status, message, assertionResults } of report.testResults) {
    const failures = assertionResults.filter((test) => test.status === 'failed');
    for (const { fullName, failureMessages } of failures)
      console.log(`::: failed: ${name}: ${fullName}\n${failureMessages.join('\n').slice(0, 1000)}`);
    if (status === 'failed' && failures.length === 0) {
      failed += 1;
      console.log(`::: failed: ${name}\n${message.slice(0, 1000)}`);
    }
  }
} catch {
  // No report: the tests did not run, and the step that failed is counted below.
}
if (failed === 0) failed = Number(failedSteps);
if (failed === 0 && passed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
