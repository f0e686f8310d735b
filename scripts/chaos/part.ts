import { writeFile } from 'node:fs/promises';
import { Installation, type InstallationOptions } from './installation.ts';

/** Options that are numbers above 0: what each means, and its default. In commands `leaseSeconds` is `--lease-seconds`. */
export type PartOptions = Readonly<Record<string, readonly [meaning: string, byDefault: number]>>;

/** A part of `npm run chaos`: one sort of fault. */
export interface Part {
  readonly name: string;
  readonly description: string;
  readonly options: PartOptions;
  /** Whether it writes a history of its operations. */
  readonly hasHistory: boolean;
  /** @param historyFile where every operation of the harness is written, as JSON */
  run(options: Record<string, number>, historyFile?: string): Promise<{ passed: boolean }>;
}

type Numbers<Options extends PartOptions> = { readonly [Name in keyof Options]: number };

interface PartFacts<Options extends PartOptions> {
  readonly name: string;
  readonly description: string;
  readonly options: Options;
}

/** A part that breaks something for which it needs no installation. */
export function part<Options extends PartOptions>(
  facts: PartFacts<Options> & { run(options: Numbers<Options>): Promise<{ passed: boolean }> },
): Part {
  return { ...facts, hasHistory: false, run: (options) => facts.run(options as Numbers<Options>) };
}

/** A part that breaks an installation of its own. */
export function installedPart<Options extends PartOptions>(
  facts: PartFacts<Options> & {
    /** The programs it needs. */
    readonly needs: Omit<InstallationOptions, 'leaseSeconds'>;
    run(
      installation: Installation,
      options: Numbers<Options & { leaseSeconds: readonly [string, number] }>,
    ): Promise<{ passed: boolean }>;
  },
): Part {
  const { name, description, needs } = facts;
  return {
    ...{ name, description, hasHistory: true },
    options: { ...facts.options, leaseSeconds: ['how long a node holds a run without renewing it', 15] },
    async run(given, historyFile) {
      const options = given as Numbers<Options & { leaseSeconds: readonly [string, number] }>;
      const installation = await Installation.open({ ...needs, leaseSeconds: options.leaseSeconds });
      try {
        return await facts.run(installation, options);
      } finally {
        if (historyFile)
          await writeFile(historyFile, `${JSON.stringify(installation.operations, null, 2)}\n`);
        await installation.close();
      }
    },
  };
}
