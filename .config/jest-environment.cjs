const { TestEnvironment } = require('jest-environment-node');

// jest runs tests in another realm, whose typed arrays onnxruntime-node's native code refuses.
// Handing it the host's own makes a tensor of a test the same thing as a tensor of the program.
const HOST_TYPES = [
  'ArrayBuffer',
  'SharedArrayBuffer',
  'DataView',
  'Uint8Array',
  'Int8Array',
  'Uint8ClampedArray',
  'Uint16Array',
  'Int16Array',
  'Uint32Array',
  'Int32Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
];

module.exports = class HostTypedArrays extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    for (const name of HOST_TYPES) this.global[name] = globalThis[name];
  }
};
