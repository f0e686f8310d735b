/** Names that scenes got before anybody was asked for one: they say nothing of the place. */
const NAMELESS = /^\s*(queue|schlange)?\s*$/iu;

/** A camera that is called after what it is; where it is, its scene says. */
const ONLY_CAMERA = /^\s*(ip[ -]?)?(camera|kamera|cam)\b/iu;

/**
 * The name of a place as people know it: "Till 3", or "Till 3 – Pick-up". A scene whose name says nothing has the name of
 * its camera, and a name that holds the other one stands for both.
 * @param camera null where it is not known
 */
export function placeName(camera: string | null, scene: string): string {
  if (!camera) return scene;
  if (NAMELESS.test(scene)) return camera;
  const [ofCamera, ofScene] = [camera.toLowerCase(), scene.toLowerCase()];
  const isSaid = ONLY_CAMERA.test(camera) || ofCamera.includes(ofScene) || ofScene.includes(ofCamera);
  return isSaid ? scene : `${camera} – ${scene}`;
}
