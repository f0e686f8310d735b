import { describe, expect, test } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { isMetric, read } from './known.ts';

/** @returns names of the metrics @throws Error when Prometheus would refuse the expression */
function metricsIn(expression: string): string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter({ type, from, to }) {
      if (type.isError) throw new Error(`wrong at ${from}: ${expression}`);
      if (type.name === 'Identifier') names.push(expression.slice(from, to));
    },
  });
  return names;
}

describe('Prometheus and Grafana', () => {
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
  const dashboard = JSON.parse(read('grafana/dashboard.json')) as {
    panels: { id: number; title: string; targets: { expr: string; refId: string }[] }[];
  };

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

  test.each(dashboard.panels)('the panel "$title" asks for metrics that exist', ({ targets }) => {
    const metrics = targets.flatMap(({ expr }) => metricsIn(expr));
    expect(metrics.length).toBeGreaterThan(0);
    expect(metrics.filter((name) => !isMetric(name))).toEqual([]);
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
  });

  test('panels have different ids and titles', () => {
    for (const of of ['id', 'title'] as const)
      expect(new Set(dashboard.panels.map((panel) => panel[of])).size).toBe(dashboard.panels.length);
  });
});
