import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type ChoiceTools, chooseModel, type ModelWish } from '../../../src/models/choice/choose-model.ts';
import { givesTheSame } from '../../../src/models/choice/compare-outputs.ts';
import type { MeasuredProvider, MeasureRequest } from '../../../src/models/choice/measurement.ts';
import { adapterIn } from '../../../src/models/choice/measuring-process.ts';
import { loadConfig, MODELS_DIR } from '../../../src/platform/config.ts';

const wish = (changes: Partial<ModelWish> = {}): ModelWish => ({
  ...{ model: undefined, executionProvider: 'auto', attributeModels: ['embedded'], threads: 1 },
  ...{ modelsDir: MODELS_DIR, cacheDir: loadConfig({}).modelCacheDir, ...changes },
});

/** A machine that needs these milliseconds. */
interface Machine {
  readonly cpu?: Readonly<Record<string, number>>;
  /** The reason: it cannot be used. */
  readonly webgpu?: Readonly<Record<string, number>> | string;
  readonly cropNetworks?: readonly [cpu: number, webgpu: number];
}

function toolsOf(machine: Machine): ChoiceTools & { readonly asked: string[] } {
  const asked: string[] = [];
  const measure = async (request: MeasureRequest): Promise<MeasuredProvider> => {
    const { executionProvider, detectors, cropNetworks } = request;
    asked.push(`${executionProvider}: ${detectors.join(' ')}`);
    const times = executionProvider === 'cpu' ? machine.cpu : machine.webgpu;
    if (typeof times === 'string') return { reason: times };
    const [onCpu, onGpu] = machine.cropNetworks ?? [10, 10];
    return {
      adapter: executionProvider === 'cpu' ? null : 'a card',
      networks: {
        detectors: Object.fromEntries(
          detectors.map((name) => [name, times?.[name] ? { ms: times[name] } : { reason: 'no' }]),
        ),
        cropNetworks: Object.fromEntries(
          cropNetworks.map((name) => [name, { ms: executionProvider === 'cpu' ? onCpu : onGpu }]),
        ),
      },
    };
  };
  return { asked, measure, gpuProviders: () => (machine.webgpu === undefined ? [] : ['webgpu']) };
}

const DEFAULT = { model: 'nanodet-g-int8', executionProvider: 'cpu', adapter: null };

test('without a graphics driver nothing is measured', async () => {
  const tools = toolsOf({});
  const chosen = await chooseModel(wish(), tools);
  expect(chosen).toEqual({ ...DEFAULT, attributeProvider: 'cpu', providerReason: null });
  expect(tools.asked).toEqual([]);
});

test('a faster graphics card gets the float network of the family', async () => {
  const tools = toolsOf({ cpu: { 'nanodet-g-int8': 15 }, webgpu: { 'nanodet-g': 4 }, cropNetworks: [10, 3] });
  expect(await chooseModel(wish(), tools)).toEqual({
    ...{ model: 'nanodet-g', executionProvider: 'webgpu', attributeProvider: 'webgpu' },
    ...{ adapter: 'a card', providerReason: null },
  });
  expect(tools.asked).toEqual(['webgpu: nanodet-g', 'cpu: nanodet-g-int8']);
});

test.each([
  [
    'a card that is not clearly faster',
    { 'nanodet-g': 14 },
    /a card, nanodet-g 14\.0 ms\)\. The CPU needs 15\.0 ms/,
  ],
  ['a card that gives other outputs', { other: 1 }, /a card, nanodet-g: no/],
  ['a driver without a device', 'No supported adapters', /webgpu: No supported adapters/],
])('%s leaves the default, with the reason', async (_, webgpu, reason) => {
  const tools = toolsOf({ cpu: { 'nanodet-g-int8': 15 }, webgpu });
  const chosen = await chooseModel(wish(), tools);
  expect(chosen).toMatchObject({ ...DEFAULT, attributeProvider: 'cpu' });
  expect(chosen.providerReason).toMatch(reason);
});

test('the networks of attributes may be faster on another processor than the detector', async () => {
  const machine = {
    cpu: { 'nanodet-g-int8': 15 },
    webgpu: { 'nanodet-g': 4 },
    cropNetworks: [2, 9],
  } as const;
  expect(await chooseModel(wish(), toolsOf(machine))).toMatchObject({
    ...{ executionProvider: 'webgpu', attributeProvider: 'cpu' },
  });
});

test('a configured provider is used without measuring; one that does not open is replaced by the CPU', async () => {
  const tools = toolsOf({ webgpu: {} });
  const forced = await chooseModel(wish({ executionProvider: 'webgpu' }), tools);
  expect(forced).toMatchObject({ model: 'nanodet-g', executionProvider: 'webgpu', adapter: 'a card' });
  expect(tools.asked).toEqual(['webgpu: ']);
  const failing = toolsOf({ webgpu: 'no device' });
  expect(await chooseModel(wish({ executionProvider: 'webgpu' }), failing)).toMatchObject({
    ...{ ...DEFAULT, providerReason: 'webgpu cannot be used: no device.' },
  });
});

test('cuda without its files, or without its libraries, says what to install', async () => {
  const tools = toolsOf({ webgpu: {} });
  const { executionProvider, providerReason } = await chooseModel(wish({ executionProvider: 'cuda' }), tools);
  expect(executionProvider).toBe('cpu');
  // The script that the sentence names must exist, and must run without npm.
  const [, command = ''] = /`ONNXRUNTIME_NODE_INSTALL=cuda12 node ([^`]+)`/.exec(providerReason ?? '') ?? [];
  expect(existsSync(command)).toBe(true);
  expect(readFileSync(command, 'utf8')).toContain('parseInstallFlag()');
  expect(providerReason).toMatch(/CUDA 12 and cuDNN 9; EXECUTION_PROVIDER=webgpu/);
  expect(tools.asked).toEqual([]);

  const failing = {
    ...toolsOf({ webgpu: 'libcublasLt.so.12 is missing' }),
    gpuProviders: () => ['cuda' as const],
  };
  expect(await chooseModel(wish({ executionProvider: 'cuda' }), failing)).toMatchObject({
    ...DEFAULT,
    providerReason: expect.stringMatching(/^cuda cannot be used: libcublasLt.+\. CUDA needs the driver/),
  });
});

test('a configured 8-bit model stays on the CPU, and cpu asks for nothing', async () => {
  const tools = toolsOf({ cpu: { 'nanodet-g-int8': 15 }, webgpu: { 'nanodet-g': 4 } });
  const asGpu = await chooseModel(wish({ model: 'nanodet-g-int8', executionProvider: 'webgpu' }), tools);
  expect(asGpu).toMatchObject({ ...DEFAULT, providerReason: expect.stringMatching(/8-bit integers/) });
  expect(await chooseModel(wish({ model: 'nanodet-g-int8' }), tools)).toMatchObject({
    ...DEFAULT,
    providerReason: null,
  });
  expect(await chooseModel(wish({ executionProvider: 'cpu' }), tools)).toMatchObject(DEFAULT);
  expect(tools.asked).toEqual([]);
});

test('the name of the adapter is read from the Vulkan loader', () => {
  const said =
    'DRIVER:  Using "Intel(R) UHD Graphics 770 (ADL-S GT1)" with driver: "/usr/lib/libvulkan_intel.so"\n';
  expect(adapterIn(said)).toBe('Intel(R) UHD Graphics 770 (ADL-S GT1)');
  expect(adapterIn('Warning: vkCreateInstance: Found no drivers!')).toBeNull();
});

test('outputs are compared row by row of equal anchors, within what another order of sums may change', () => {
  const anchors = Int32Array.from({ length: 100 }, (_, at) => at);
  const scores = Float32Array.from(anchors, (at) => 5 - at / 20);
  const swapped = { anchors: anchors.slice(), scores: scores.slice() };
  [swapped.anchors[0], swapped.anchors[1]] = [1, 0];
  [swapped.scores[0], swapped.scores[1]] = [scores[1]!, scores[0]!];
  const with_ = (change: number) => ({ anchors, scores: scores.map((score) => score + change) });
  expect(givesTheSame(swapped, { anchors, scores })).toBe(true);
  expect(givesTheSame(with_(0.01), { anchors, scores })).toBe(true);
  expect(givesTheSame(with_(0.5), { anchors, scores })).toBe(false);
  expect(givesTheSame({ anchors: anchors.map((at) => at + 50), scores }, { anchors, scores })).toBe(false);
  expect(givesTheSame({ scores: scores.map(() => Number.NaN) }, { scores })).toBe(false);
  expect(givesTheSame({}, { scores })).toBe(false);
});
