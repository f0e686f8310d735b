import { useLocation } from 'wouter';
import { CameraList } from './camera-list.tsx';
import { CameraPage } from './parts/camera-page.tsx';
import { SitesPage } from './sites/sites-page.tsx';
import { FindCamera } from './wizard/find-camera.tsx';
import { SetUp } from './wizard/set-up.tsx';

/** `/cameras`, `/cameras/new`, `/cameras/sites`, `/cameras/ID`, `/cameras/ID/setup`; messages link to `/devices/ID`. */
export default function CamerasScreen() {
  const [place] = useLocation();
  const [, , id, part] = place.split('/');
  if (id === undefined || id === '') return <CameraList />;
  if (id === 'new') return <FindCamera />;
  if (id === 'sites') return <SitesPage />;
  return part === 'setup' ? <SetUp key={id} deviceId={id} /> : <CameraPage key={id} deviceId={id} />;
}
