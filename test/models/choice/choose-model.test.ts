import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readDetectorCard } from '../../../src/models/cards.ts';
import { candidates } from '../../../src/models/choice/candidates.ts';
import {
  type ChoiceTools,
  chooseModel,
  type ModelWish,
  machineTools,
} from '../../../src/models/choice/choose-model.ts';
import { givesTheSame } from '../../../src/models/choice/compare-outputs.ts';
import type { Batch, MeasuredProvider, MeasureRequest } from '../../../src/models/choice/measurement.ts';
import { measureOnce } from '../../../src/models/choice/measurement-cache.ts';
import { adapterIn, driverHint } from '../../../src/models/choice/measuring-process.ts';
import { sha256 } from '../../../src/models/model-sources.ts';
import { readyName, readyPrefix } from '../../../src/models/ready-models.ts';
import { writeWhole } from '../../../src/models/write-whole.ts';
import { loadConfig, MODELS_DIR } from '../../../src/platform/config.ts';
import { testWhere } from '../../support/installed.ts';

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
  /** Of every detector on the GPU. */
  readonly batch?: Batch;
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
          detectors.map((name) => {
            const { batch } = executionProvider === 'cpu' ? {} : machine;
            return [name, times?.[name] ? { ms: times[name], batch } : { reason: 'no' }];
          }),
        ),
        cropNetworks: Object.fromEntries(
          cropNetworks.map((name) => [name, { ms: executionProvider === 'cpu' ? onCpu : onGpu }]),
        ),
      },
    };
  };
  return { asked, measure, gpuProviders: () => (machine.webgpu === undefined ? [] : ['webgpu']) };
}

const DEFAULT = { model: 'nanodet-g-int8', executionProvider: 'cpu', adapter: null, batchSize: 1 };

const ON_CPU = 'cpu: nanodet-g-int8 nanodet-g';

test.each([
  ['the default', { 'nanodet-g-int8': 15, 'nanodet-g': 46 }, 'nanodet-g-int8'],
  [
    'the default beside one that is not clearly faster',
    { 'nanodet-g-int8': 15, 'nanodet-g': 14 },
    'nanodet-g-int8',
  ],
  ['the other one where it is clearly faster', { 'nanodet-g-int8': 60, 'nanodet-g': 40 }, 'nanodet-g'],
  ['the default where it cannot be measured', { 'nanodet-g': 40 }, 'nanodet-g-int8'],
])(
  'without a graphics driver the equally accurate models are measured: the CPU runs %s',
  async (_, cpu, model) => {
    for (const executionProvider of ['auto', 'cpu'] as const) {
      const tools = toolsOf({ cpu });
      const chosen = await chooseModel(wish({ executionProvider }), tools);
      expect(chosen).toEqual({ ...DEFAULT, model, attributeProvider: 'cpu', providerReason: null });
      expect(tools.asked).toEqual([ON_CPU]);
    }
  },
);

describe('the candidates', () => {
  let modelsDir: string;
  let cacheDir: string;
  beforeAll(async () => {
    modelsDir = await mkdtemp(join(tmpdir(), 'candidates-'));
    cacheDir = join(modelsDir, 'cache');
    await cp(MODELS_DIR, modelsDir, { recursive: true });
    const own = JSON.parse(await readFile(join(MODELS_DIR, 'yolox-nano.json'), 'utf8'));
    const data = '64 pictures of COCO val2017';
    const add = async (name: string, change: object, isReady = true) => {
      const source = { ...own.source, sha256: sha256(Buffer.from(name)) };
      await writeFile(
        join(modelsDir, `${name}.json`),
        JSON.stringify({ ...own, name, source, accuracy: { personAp50: 0.7, data }, ...change }),
      );
      if (!isReady) return;
      const bytes = Buffer.from(name);
      const prefix = await readyPrefix(await readDetectorCard(modelsDir, name), { modelsDir, cacheDir });
      await writeWhole(join(cacheDir, readyName(prefix, bytes)), bytes);
    };
    await add('own-better', {});
    await add('own-equal', { accuracy: { personAp50: 0.622, data } });
    await add('own-worse', { accuracy: { personAp50: 0.621, data } });
    await add('own-unknown', { accuracy: { personAp50: null, reason: 'not measured' } });
    await add('own-bare', { accuracy: undefined });
    await add('own-elsewhere', { accuracy: { personAp50: 0.7, data: 'other pictures' } });
    await add('own-research', { usage: 'research' });
    await add('own-absent', {}, false);
  });
  afterAll(() => rm(modelsDir, { recursive: true }));

  test('are the models that are ready, as accurate on the same pictures, and allowed for anything', async () => {
    const names = (await candidates({ modelsDir, cacheDir })).map(({ name }) => name);
    expect(names).toEqual(['nanodet-g-int8', 'nanodet-g', 'own-better', 'own-equal']);
  });

  test('are all measured, and the fastest of them is taken; a configured model is taken unmeasured', async () => {
    const tools = toolsOf({
      cpu: { 'nanodet-g-int8': 15, 'nanodet-g': 46, 'own-better': 9, 'own-equal': 12 },
    });
    const places = { modelsDir, cacheDir };
    expect(await chooseModel(wish(places), tools)).toMatchObject({ ...DEFAULT, model: 'own-better' });
    expect(tools.asked).toEqual([`${ON_CPU} own-better own-equal`]);
    expect(await chooseModel(wish({ ...places, model: 'own-worse' }), tools)).toMatchObject({
      ...{ ...DEFAULT, model: 'own-worse' },
    });
    expect(tools.asked).toHaveLength(1);
  });

  test('are measured in a process of their own, once, with a sentence that says so', async () => {
    const said: string[] = [];
    const cache = await mkdtemp(join(tmpdir(), 'measured-'));
    const tools = { ...machineTools((sentence) => said.push(sentence)), gpuProviders: () => [] };
    try {
      // Whichever is faster here.
      const chosen = await chooseModel(wish({ cacheDir: cache }), tools);
      expect(['nanodet-g-int8', 'nanodet-g']).toContain(chosen.model);
      const steps = ['Measuring nanodet-g-int8, nanodet-g with cpu, once on this machine'];
      expect(said).toEqual(steps);
      expect((await readdir(cache)).filter((name) => name.startsWith('measured-'))).toHaveLength(1);
      expect(await chooseModel(wish({ cacheDir: cache }), tools)).toEqual(chosen);
      expect(said).toEqual(steps);
    } finally {
      await rm(cache, { recursive: true });
    }
  });
});

test('a faster graphics card gets the float network of the family', async () => {
  const tools = toolsOf({ cpu: { 'nanodet-g-int8': 15 }, webgpu: { 'nanodet-g': 4 }, cropNetworks: [10, 3] });
  expect(await chooseModel(wish(), tools)).toEqual({
    ...{ model: 'nanodet-g', executionProvider: 'webgpu', attributeProvider: 'webgpu' },
    ...{ adapter: 'a card', providerReason: null, batchSize: 1 },
  });
  expect(tools.asked).toEqual(['webgpu: nanodet-g', ON_CPU]);
});

test.each([
  [
    'a card that is not clearly faster',
    { 'nanodet-g': 14 },
    'gpu_slower',
    /a card, nanodet-g 14\.0 ms\)\. The CPU needs 15\.0 ms/,
  ],
  ['a card that gives other outputs', { other: 1 }, 'gpu_unusable', /a card, nanodet-g: no/],
  ['a driver without a device', 'No supported adapters', 'gpu_unusable', /webgpu: No supported adapters/],
])('%s leaves the default, with the reason', async (_, webgpu, code, reason) => {
  const tools = toolsOf({ cpu: { 'nanodet-g-int8': 15 }, webgpu });
  const chosen = await chooseModel(wish(), tools);
  expect(chosen).toMatchObject({ ...DEFAULT, attributeProvider: 'cpu' });
  expect(chosen.providerReason?.sentence).toMatch(reason);
  expect(chosen.providerReason?.cause.code).toBe(code);
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

test('a GPU gets as many frames in one run as were fastest; the CPU one', async () => {
  const times = { 'nanodet-g-int8': 15, 'nanodet-g': 46 };
  const batch = { size: 4, ms: 2 };
  const onGpu = toolsOf({ cpu: times, webgpu: { 'nanodet-g': 4 }, batch });
  expect(await chooseModel(wish(), onGpu)).toMatchObject({ executionProvider: 'webgpu', batchSize: 4 });
  const slow = toolsOf({ cpu: times, webgpu: { 'nanodet-g': 40 }, batch });
  expect(await chooseModel(wish(), slow)).toMatchObject({ executionProvider: 'cpu', batchSize: 1 });
});

test('a configured provider is not compared with the CPU; one that does not open is replaced by the CPU', async () => {
  const tools = toolsOf({ webgpu: { 'nanodet-g': 400 }, batch: { size: 2, ms: 300 } });
  const forced = await chooseModel(wish({ executionProvider: 'webgpu' }), tools);
  expect(forced).toMatchObject({ model: 'nanodet-g', executionProvider: 'webgpu', adapter: 'a card' });
  expect(tools.asked).toEqual(['webgpu: ', 'webgpu: nanodet-g']);
  expect(forced.batchSize).toBe(2);
  const unmeasured = await chooseModel(wish({ executionProvider: 'webgpu' }), toolsOf({ webgpu: {} }));
  expect(unmeasured).toMatchObject({ executionProvider: 'webgpu', batchSize: 1 });
  const failing = toolsOf({ webgpu: 'no device' });
  expect(await chooseModel(wish({ executionProvider: 'webgpu' }), failing)).toMatchObject({
    ...DEFAULT,
    providerReason: {
      sentence: 'webgpu cannot be used: no device.',
      cause: { code: 'gpu_unusable', provider: 'webgpu', detail: 'no device' },
    },
  });
});

test('cuda without its files, or without its libraries, says what to install', async () => {
  const tools = toolsOf({ webgpu: {} });
  const { executionProvider, providerReason } = await chooseModel(wish({ executionProvider: 'cuda' }), tools);
  expect(executionProvider).toBe('cpu');
  const said = providerReason?.sentence ?? '';
  expect(providerReason?.cause).toMatchObject({ code: 'cuda_missing' });
  // The script that the sentence names must exist, and must run without npm.
  const [, command = ''] = /`ONNXRUNTIME_NODE_INSTALL=cuda12 node ([^`]+)`/.exec(said) ?? [];
  expect(existsSync(command)).toBe(true);
  expect(readFileSync(command, 'utf8')).toContain('parseInstallFlag()');
  expect(said).toMatch(/CUDA 12 and cuDNN 9; EXECUTION_PROVIDER=webgpu/);
  expect(tools.asked).toEqual([ON_CPU]);

  const failing = {
    ...toolsOf({ webgpu: 'libcublasLt.so.12 is missing' }),
    gpuProviders: () => ['cuda' as const],
  };
  expect(await chooseModel(wish({ executionProvider: 'cuda' }), failing)).toMatchObject({
    ...DEFAULT,
    providerReason: {
      sentence: expect.stringMatching(/^cuda cannot be used: libcublasLt.+\. CUDA needs the driver/),
      cause: { code: 'gpu_unusable', provider: 'cuda', detail: 'libcublasLt.so.12 is missing' },
    },
  });
});

test('a configured 8-bit model stays on the CPU, unmeasured', async () => {
  const tools = toolsOf({ cpu: { 'nanodet-g-int8': 15 }, webgpu: { 'nanodet-g': 4 } });
  const asGpu = await chooseModel(wish({ model: 'nanodet-g-int8', executionProvider: 'webgpu' }), tools);
  expect(asGpu).toMatchObject({
    ...DEFAULT,
    providerReason: {
      sentence: expect.stringMatching(/8-bit integers/),
      cause: { code: 'model_of_integers', model: 'nanodet-g-int8' },
    },
  });
  expect(await chooseModel(wish({ model: 'nanodet-g-int8' }), tools)).toMatchObject({
    ...DEFAULT,
    providerReason: null,
  });
  expect(tools.asked).toEqual([]);
});

test('the name of the adapter is read from the Vulkan loader', () => {
  const said =
    'DRIVER:  Using "Intel(R) UHD Graphics 770 (ADL-S GT1)" with driver: "/usr/lib/libvulkan_intel.so"\n';
  expect(adapterIn(said)).toBe('Intel(R) UHD Graphics 770 (ADL-S GT1)');
  expect(adapterIn('Warning: vkCreateInstance: Found no drivers!')).toBeNull();
});

test('a GPU that does not open is tried at each start; any other failure is kept', async () => {
  const cacheDir = await mkdtemp(join(tmpdir(), 'measured-test-'));
  const request = { ...wish({ cacheDir }), executionProvider: 'webgpu' as const, cropNetworks: [] };
  let measured = 0;
  const startWith = (result: MeasuredProvider) =>
    measureOnce({ ...request, detectors: ['nanodet-g'] }, async () => {
      measured++;
      return result;
    });
  for (const _ of [1, 2]) await startWith({ reason: 'no adapter', isUnopened: true });
  expect(measured).toBe(2);
  for (const _ of [1, 2]) await startWith({ reason: 'it crashed' });
  expect(measured).toBe(3);
  await rm(cacheDir, { recursive: true });
});

testWhere(process.platform === 'linux')('a missing adapter names what may be missing', () => {
  const reason = 'Failed to get a WebGPU adapter: No supported adapters';
  const refused =
    "ERROR: loader_scanned_icd_add: Could not get 'vkCreateInstance' via 'vk_icdGetInstanceProcAddr' for ICD libGLX_nvidia.so.0\n";
  expect(driverHint(reason, '')).toMatch(/libvulkan1/);
  expect(driverHint(reason, refused)).toMatch(/libGLX_nvidia\.so\.0 does not start.+libegl1/);
  expect(driverHint(reason, 'DRIVER: Found the following files:')).toBe('');
  expect(driverHint('it gives other outputs', '')).toBe('');
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
