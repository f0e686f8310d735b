import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { isMetric, metricsIn, read } from './known.ts';

describe('alerts of Prometheus', () => {
  const { groups } = parse(read('prometheus/alerts.yaml')) as {
    groups: {
      rules: {
        alert: string;
        expr: string;
        labels: { severity: string };
        annotations: Record<string, string>;
      }[];
    }[];
  };
  const rules = groups.flatMap((group) => group.rules);

  test('a wrong expression is refused', () => {
    expect(() => metricsIn('sum(rate(a[5m]')).toThrow('wrong at');
    expect(metricsIn('sum by (x) (rate(a{b="c"}[5m]))')).toEqual(['a']);
  });

  test.each(rules)(
    'the alert $alert asks for metrics that exist and says what to do',
    ({ expr, labels, annotations }) => {
      const metrics = metricsIn(expr);
      expect(metrics.length).toBeGreaterThan(0);
      expect(metrics.filter((name) => !isMetric(name))).toEqual([]);
      expect(['warning', 'critical']).toContain(labels.severity);
      expect(annotations).toEqual({
        summary: expect.any(String),
        runbook: expect.stringMatching(/.{40,}\.$/),
      });
    },
  );
});
