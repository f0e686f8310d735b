import { Command } from 'commander';
import type { Part } from './chaos/part.ts';
import { PARTS } from './chaos/parts.ts';
import { positive } from './support/options.ts';
import { printMeasured } from './support/print-measured.ts';
import { main, table } from './support/terminal.ts';

const program = new Command('chaos').description(
  'Breaks an installation of its own (Postgres, API, workers) on purpose, records every operation and checks the\nhistory afterwards. Exit code 0 only if every promise was kept. CHAOS_KEEP=1 keeps the folder with the logs.',
);

for (const part of PARTS) addPart(part);

function addPart(part: Part): void {
  const command = program.command(part.name).description(part.description);
  for (const [name, [meaning, byDefault]] of Object.entries(part.options)) {
    command.option(`--${kebab(name)} <n>`, meaning, positive, byDefault);
  }
  if (part.hasHistory) {
    command.option('--history <file>', 'write every operation of the harness there, as JSON');
  }
  command
    .option('--json', 'print one JSON document')
    .action(async (given: Record<string, number> & { history?: string; json?: boolean }) => {
      const { history, json, ...options } = given;
      report(json, await part.run(options as Record<string, number>, history));
    });
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function report(json: boolean | undefined, result: { passed: boolean }): void {
  const shown = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
  printMeasured(json, result, () =>
    table([['measure', 'value'], ...Object.entries(result).map(([name, value]) => [name, shown(value)])]),
  );
  if (!result.passed) process.exitCode = 1;
}

await main(() => program.parseAsync());
