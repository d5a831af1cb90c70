// Prints `N passed, N failed, N skipped` from vitest's JSON report. A test file that could not be loaded, and a step of
// .ci/run that failed with every test green, count as one failure each: a run with no failure has none anywhere.
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
  for (const file of report.testResults) {
    if (file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'))
      failed += 1;
  }
} catch {
  // No report: the tests did not run, and the step that failed is counted below.
}
if (failed === 0) failed = Number(failedSteps);
if (failed === 0 && passed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 ? 0 : 1;
