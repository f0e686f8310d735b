import { expect, test } from '@jest/globals';
import { isMetric, metricsIn, read } from './known.ts';

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: 'row' | 'timeseries';
  readonly description: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly {
    readonly expr: string;
    readonly refId: string;
    readonly legendFormat: string;
  }[];
}

const { panels } = JSON.parse(read('grafana/dashboard.json')) as { panels: readonly Panel[] };
const rows = panels.filter(({ type }) => type === 'row');
const graphs = panels.filter(({ type }) => type !== 'row');

test.each(graphs)('the panel "$title" asks for metrics that exist and says what they mean', (panel) => {
  const { targets, description } = panel;
  const metrics = targets.flatMap(({ expr }) => metricsIn(expr));
  expect(metrics.length).toBeGreaterThan(0);
  expect(metrics.filter((name) => !isMetric(name))).toEqual([]);
  expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
  expect(description).toMatch(/^[A-Z].{40,}\.$/);
  // A name in a legend must be a label that the expression leaves.
  for (const { expr, legendFormat } of targets) {
    const kept = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(/, */) ?? ['device_id', 'instance', 'program'];
    for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(kept).toContain(label);
  }
});

test('panels have different ids and titles, and no two are at the same place', () => {
  for (const of of ['id', 'title'] as const)
    expect(new Set(panels.map((panel) => panel[of])).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)} ${y + Math.floor(at / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});

test('every graph is below a row, and faults, overload, jobs, MQTT and memory are shown', () => {
  expect(panels[0]).toMatchObject({ type: 'row', gridPos: { y: 0 } });
  expect(rows.map(({ title }) => title)).toEqual([
    ...['Is anything wrong?', 'Cameras', 'Overload', 'API and database', 'Background jobs'],
    ...['Deliveries: webhooks, notifications, MQTT', 'Language model and quotas', 'Processes'],
  ]);
  const asked = new Set(graphs.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr))));
  for (const name of [
    ...[
      'camera_fault',
      'camera_overloaded',
      'node_overloaded',
      'node_at_capacity',
      'job_turns_total',
      'queue_jobs',
    ],
    ...[
      'mqtt_connected',
      'mqtt_published_total',
      'process_resident_memory_bytes',
      'nodejs_heap_size_used_bytes',
    ],
  ])
    expect([...asked]).toContain(name);
});
