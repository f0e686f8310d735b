import type { Context } from '../../platform/context.ts';
import { type Repeating, untilDone } from '../../platform/jobs/every.ts';
import { codePath } from './one-time-code.ts';
import { makeSetupCode } from './set-up.ts';

const PAUSE_MS = 5_000;

/** While there is no user: makes a code and prints it, as soon as the database can be reached. */
export function announceSetup(
  context: Pick<Context, 'clock' | 'db' | 'logger'>,
  { address, print }: { address: string; print: (text: string) => void },
): Repeating {
  return untilDone(
    PAUSE_MS,
    async () => {
      const code = await makeSetupCode(context);
      if (code) print(setupText(code, address));
    },
    (error) => context.logger.debug({ err: error }, 'The setup code could not be stored yet'),
  );
}

const setupText = (code: string, address: string): string => `
There is no user yet. With this code, which is valid for 24 hours, the first administrator is created:

  ${code}

  ${address}${codePath('setup', code)}
  or POST ${address}/api/v1/setup {"code","email","password"}

`;
