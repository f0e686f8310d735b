import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';

/** @returns the violations, each as `rule: from → to` */
function cruise(): string[] {
  const output = execFileSync(
    'node_modules/.bin/depcruise',
    ['--config', '.config/dependency-cruiser.cjs', '--output-type', 'json', 'src', 'scripts'],
    { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  const report = JSON.parse(output) as {
    summary: { violations: { rule: { name: string }; from: string; to: string }[]; totalCruised: number };
  };
  expect(report.summary.totalCruised).toBeGreaterThan(20);
  return report.summary.violations.map((v) => `${v.rule.name}: ${v.from} → ${v.to}`);
}

describe('imports', () => {
  test('point one way, and every package stays in its home', () => {
    expect(cruise()).toEqual([]);
  });
});
