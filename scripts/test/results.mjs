// What Jest writes with --json, as far as it is shown.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * @typedef {object} TestFile
 * @property {string} path below the project
 * @property {number} ms how long it took
 * @property {string[]} failed names of tests; one empty name where the file could not be run
 */

/**
 * @param {string} path of the file
 * @returns {{ passed: number, failed: number, skipped: number, files: TestFile[] } | null} null where the run was cut short
 */
export function readResults(path) {
  if (!existsSync(path)) return null;
  const { numPassedTests, numPendingTests, testResults } = JSON.parse(readFileSync(path, 'utf8'));
  const files = testResults.map(fileOf);
  const failed = files.reduce(
    (/** @type {number} */ sum, /** @type {TestFile} */ file) => sum + file.failed.length,
    0,
  );
  return { passed: numPassedTests, failed, skipped: numPendingTests, files };
}

/** @returns {TestFile} */
function fileOf(/** @type {any} */ { name, startTime, endTime, status, assertionResults }) {
  const failed = assertionResults
    .filter((/** @type {any} */ test) => test.status === 'failed')
    .map((/** @type {any} */ test) => [...test.ancestorTitles, test.title].join(' › '));
  return {
    path: relative(process.cwd(), name),
    ms: endTime - startTime,
    failed: status === 'failed' && failed.length === 0 ? [''] : failed,
  };
}
