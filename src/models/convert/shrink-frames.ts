import type { NetworkSize } from '../../vision/detect/detector.ts';
import { type OnnxGraph, tensorInfo, UINT8 } from './onnx-graph.ts';

/**
 * Makes the graph take larger frames: `image` gets the size `frames` and is scaled to the input of the network first. So a
 * camera changes the size of its network from one frame to the next, and its frames stay the same.
 */
export function shrinkFrames(graph: OnnxGraph, input: NetworkSize, frames: NetworkSize): void {
  const scaled = 'image/scaled';
  for (const node of graph.nodes) node.input = node.input.map((name) => (name === 'image' ? scaled : name));
  // Factors in place of sizes: channels-last bytes then take the library's integer path.
  const factors = [1, input.height / frames.height, input.width / frames.width, 1];
  const before = graph.nodes.length;
  graph.node('Resize', ['image', '', graph.float('image/factors', factors, [4])], {
    as: scaled,
    mode: 'linear',
    coordinate_transformation_mode: 'half_pixel',
  });
  graph.nodes.unshift(...graph.nodes.splice(before));
  graph.inputs = [tensorInfo('image', UINT8, [1, frames.height, frames.width, 3])];
}
