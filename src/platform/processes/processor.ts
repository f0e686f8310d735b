import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** The instruction sets on which the speed of inference depends, by their names in /proc/cpuinfo. */
const INSTRUCTION_SETS: Readonly<Record<string, string>> = {
  avx2: 'AVX2',
  avx_vnni: 'AVX-VNNI',
  avx512f: 'AVX-512',
  avx512_vnni: 'AVX-512 VNNI',
  amx_int8: 'AMX',
  asimddp: 'DotProd',
  i8mm: 'I8MM',
};

export interface Machine {
  /** The operating system's name of the processor; may be empty. */
  readonly model: string;
  readonly cores: number;
  /** Node's name of the architecture. */
  readonly arch: string;
  /** The text of /proc/cpuinfo; null where there is none. */
  readonly cpuinfo: string | null;
}

/** One line that names the processor a figure was measured on: model, cores, architecture, instruction sets. */
export function nameProcessor({ model, cores, arch, cpuinfo }: Machine): string {
  const [, flags = null] = /^(?:flags|Features)\s*:(.*)$/m.exec(cpuinfo ?? '') ?? [];
  const known = new Set(flags?.trim().split(/\s+/));
  const sets = Object.keys(INSTRUCTION_SETS).flatMap((flag) =>
    known.has(flag) ? [INSTRUCTION_SETS[flag]] : [],
  );
  const described =
    flags === null
      ? 'instruction sets unknown'
      : sets.join(', ') || 'none of the instruction sets that count';
  return `${model.trim() || 'a processor without a name'}, ${cores} ${cores === 1 ? 'core' : 'cores'}, ${arch}: ${described}`;
}

/** The processor of this machine. Inside an emulator, Linux may describe the real one. */
export function thisProcessor(): string {
  const cores = cpus();
  return nameProcessor({
    model: cores[0]?.model ?? '',
    cores: cores.length,
    arch: process.arch,
    cpuinfo: readCpuinfo(),
  });
}

function readCpuinfo(): string | null {
  try {
    return readFileSync('/proc/cpuinfo', 'utf8');
  } catch {
    // Only Linux has this file.
    return null;
  }
}
