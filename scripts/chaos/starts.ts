import { installedPart } from './part.ts';
import { verdict } from './verdict.ts';

export const starts = installedPart({
  name: 'starts',
  description: 'Sends many starts of one scene at once: one is answered 202, the rest ALREADY_RUNNING.',
  options: { concurrent: ['number of starts', 500] },
  needs: { workers: 1 },
  async run(installation, { concurrent }) {
    const { baseUrl, client, key } = installation;
    const camera = await installation.addCamera('Starts', 'sim:shop?seed=1', 1);
    const { deviceId, sceneId } = camera;
    await installation.untilOnline(camera);
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
    await installation.stop(camera);
    return {
      concurrent,
      /** How often each answer came: the status and, of an error, its code. */
      answers,
      tasks: tasks.length,
      ...verdict({
        'answers 202': { is: answers['202'] ?? 0, exactly: 1 },
        'answers 409 ALREADY_RUNNING': { is: answers['409 ALREADY_RUNNING'] ?? 0, exactly: concurrent - 1 },
        tasks: { is: tasks.length, exactly: 1 },
      }),
    };
  },
});
