import { execFileSync } from 'node:child_process';
import { chown, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * PostgreSQL refuses to run as root. Started by root it runs as the system's `postgres`, else as `nobody`: no account
 * is made. Its programs and rows may lie where that account may not look (a checkout under /root): then it is given
 * one right, to pass by file permissions, and nothing else of root's.
 */
export interface Account {
  readonly uid: number;
  readonly gid: number;
  /** Put before the command; empty where uid and gid suffice. */
  readonly prefix: readonly string[];
}

/**
 * @param paths what the account has to reach
 * @returns null for an ordinary user, who runs it as himself
 * @throws Error one sentence: nobody to run it as, or no way to reach the paths
 */
export async function databaseAccount(paths: readonly string[]): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const ids = idsOf('postgres') ?? idsOf('nobody');
  if (!ids) {
    throw new Error(
      'PostgreSQL does not run as root, and there is neither a user `postgres` nor `nobody` to run it as: ' +
        'run this as an ordinary user, or set DATABASE_URL.',
    );
  }
  const blocked = await firstUnreachable(paths, ids);
  if (blocked === null) return { ...ids, prefix: [] };
  const prefix = [
    'setpriv',
    `--reuid=${ids.uid}`,
    `--regid=${ids.gid}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    '--bounding-set=-all,+dac_override',
    '--securebits=+no_setuid_fixup',
    '--',
  ];
  try {
    execFileSync(prefix[0]!, [...prefix.slice(1), 'true'], { stdio: 'ignore' });
  } catch {
    throw new Error(
      `PostgreSQL does not run as root, and the user it would run as may not enter ${blocked}: ` +
        'move the project to a folder that others may enter (e.g. below /opt), run this as an ordinary user, ' +
        'or set DATABASE_URL.',
    );
  }
  return { ...ids, prefix };
}

/** Gives a file or folder to the account. */
export async function handOver(path: string, account: Account | null): Promise<void> {
  if (account) await chown(path, account.uid, account.gid);
}

function idsOf(name: string): { uid: number; gid: number } | null {
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return null;
  }
}

/** The first folder above one of the paths that the account may not pass. */
async function firstUnreachable(
  paths: readonly string[],
  { uid, gid }: { uid: number; gid: number },
): Promise<string | null> {
  for (const path of paths) {
    for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
      const { mode, uid: owner, gid: group } = await stat(folder);
      const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
      if ((mode & bit) === 0) return folder;
      if (folder === dirname(folder)) break;
    }
  }
  return null;
}
