import { type Command, InvalidArgumentError } from 'commander';
import { grantQuota, setQuota } from '../../src/billing/admin/operate-quota.ts';
import { readDefaultLimits, writeDefaultLimits } from '../../src/billing/base.store.ts';
import { FEATURES, MAX_AMOUNT, UNITS } from '../../src/billing/features.ts';
import type { Feature } from '../../src/platform/prisma-client/client.ts';
import { table } from '../support/terminal.ts';
import { command, commandOnUser, onDb } from './command.ts';

/** Commands about the limits of users and devices. */

interface QuotaOptions {
  readonly device?: string;
  readonly reference?: string;
  readonly reason?: string;
}

function amount(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= MAX_AMOUNT) return value;
  throw new InvalidArgumentError(`It must be a whole number from 0 to ${MAX_AMOUNT}.`);
}

const UNLIMITED = 'unlimited';
/** Not null, which commander takes for an option without a value. */
const limit = (text: string) => (text === UNLIMITED ? UNLIMITED : amount(text));

/** Adds an option with a limit for each of the four features. */
function withLimits(command: Command): Command {
  for (const feature of FEATURES) {
    command.option(
      `--${feature} <${UNITS[feature]}>`,
      `monthly limit in ${UNITS[feature]}, or \`unlimited\``,
      limit,
    );
  }
  return command;
}

type Limits = Partial<Record<Feature, number | typeof UNLIMITED>>;

/** Null means unlimited. */
function limitsOf(options: Limits): Partial<Record<Feature, number | null>> {
  const given = FEATURES.filter((name) => options[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, options[name] === UNLIMITED ? null : options[name]]));
}

const shownLimits = (limits: Readonly<Record<Feature, number | null>>) =>
  table([
    ['feature', 'limit a month', 'unit'],
    ...FEATURES.map((name) => [name, limits[name] ?? UNLIMITED, UNITS[name]]),
  ]);

commandOnUser('top-up', 'add to a limit of this month; the addition ends with the month')
  .argument('<feature>', FEATURES.join(', '))
  .argument('<amount>', 'added to the limit of this month, in the unit of the feature', amount)
  .option('--device <id>', 'the limit of this device of the user')
  .option('--reference <uuid>', 'your own id: the same id adds only once (default: a new one)')
  .option('--reason <text>', 'for the ledger')
  .action(
    onDb(
      (db, email: string, feature: string, amount: number, options: QuotaOptions) =>
        grantQuota(db, email, { feature, amount, ...options }),
      ({ limits }) => shownLimits(limits),
    ),
  );

/** @throws Error for limits that are given as words, with the options to use */
function refuseWords(words: readonly string[]): void {
  if (words.length === 0) return;
  const options = FEATURES.map((name) => `--${name} <${UNITS[name]}>`).join(', ');
  throw new Error(
    `"${words.join(' ')}" is not read: the limits are options, ${options}, each a number or \`${UNLIMITED}\`.`,
  );
}

withLimits(commandOnUser('set-quota', 'set monthly limits, for this month and later ones; others stay'))
  .usage('<name|email> [options]')
  .argument('[words...]')
  .option('--device <id>', 'the limits of this device of the user')
  .option('--reason <text>', 'for the ledger')
  .action(
    onDb(
      async (db, email: string, words: string[], { device, reason, ...options }: QuotaOptions & Limits) => {
        refuseWords(words);
        return setQuota(db, email, { device, reason, limits: limitsOf(options) });
      },
      ({ limits }) => shownLimits(limits),
    ),
  );

withLimits(
  command('default-quota', 'show, or with options set, the monthly limits of users without own limits'),
)
  .usage('[options]')
  .argument('[words...]')
  .action(
    onDb(async (db, words: string[], options: Limits) => {
      refuseWords(words);
      const limits = { ...(await readDefaultLimits(db)), ...limitsOf(options) };
      if (Object.keys(limitsOf(options)).length > 0) await writeDefaultLimits(db, limits);
      return limits;
    }, shownLimits),
  );
