import type { Installation } from './installation.ts';
import { installedPart } from './part.ts';

export interface StartsResult {
  readonly concurrent: number;
  /** How often each answer was given: a status and, of errors, the code. */
  readonly answers: Readonly<Record<string, number>>;
  readonly tasks: number;
  readonly passed: boolean;
}

export const starts = installedPart({
  name: 'starts',
  description: 'Many starts of one scene at once: one 202, the rest ALREADY_RUNNING.',
  options: { concurrent: ['starts', 500] },
  needs: { workers: 1 },
  run: runStarts,
});

/** Many starts of one scene at the same moment: one is accepted, the others are told that it runs. */
export async function runStarts(
  installation: Installation,
  { concurrent }: { concurrent: number },
): Promise<StartsResult> {
  const { baseUrl, client, key } = installation;
  const { deviceId, sceneId } = await installation.addCamera('Starts', 'sim:shop?seed=1', 1);
  await installation.until('the device is online', () => isOnline(installation, deviceId), 30);
  const answers: Record<string, number> = {};
  const start = async () => {
    const response = await fetch(`${baseUrl}/api/v1/devices/${deviceId}/analysis/start`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sceneId }),
    });
    const { error } = (await response.json()) as { error?: { code: string } };
    const answer = `${response.status}${error ? ` ${error.code}` : ''}`;
    answers[answer] = (answers[answer] ?? 0) + 1;
  };
  installation.note(`${concurrent} starts at once`);
  await Promise.all(Array.from({ length: concurrent }, start));
  const tasks = await client.get<unknown[]>(`/analysis/tasks?deviceId=${deviceId}&limit=10`);
  await installation.stop({ deviceId, sceneId });
  const passed =
    answers['202'] === 1 && answers['409 ALREADY_RUNNING'] === concurrent - 1 && tasks.length === 1;
  return { concurrent, answers, tasks: tasks.length, passed };
}

async function isOnline({ client }: Installation, deviceId: string): Promise<boolean> {
  const device = await client.get<{ onlineStatus: string }>(`/devices/${deviceId}`);
  return device.onlineStatus === 'online';
}
