import type { MetricUnit } from '../catalogue/metrics/metric.ts';
import { placeName } from '../catalogue/words/place-name.ts';
import { VERSION } from '../platform/config.ts';
import { SHOWN_NUMBERS, type ShownNumber } from './numbers.ts';
import type { SceneNow } from './scenes.store.ts';
import type { Topics } from './topics.ts';

/** Who publishes, as Home Assistant shows it. */
const ORIGIN = { name: 'video-analytics-service', sw_version: VERSION };
const MANUFACTURER = 'Video analytics service';

/** A discovery message of Home Assistant. */
export interface Discovery {
  readonly topic: string;
  /** Null: the entity is removed. */
  readonly config: object | null;
}

/** What the discovery of a scene depends on. */
export type NamedScene = Pick<SceneNow, 'sceneId' | 'userId' | 'name' | 'deviceName' | 'zones'>;

const UNITS: Readonly<Record<MetricUnit, object>> = {
  count: { unit_of_measurement: 'people', suggested_display_precision: 0 },
  seconds: { unit_of_measurement: 's', device_class: 'duration', suggested_display_precision: 0 },
  share: { unit_of_measurement: '%', suggested_display_precision: 0 },
  percent: { unit_of_measurement: '%', suggested_display_precision: 0 },
  perHour: { unit_of_measurement: 'people/h', suggested_display_precision: 0 },
};

/**
 * One message for each entity of a scene: every version of Home Assistant since 2021 reads these, while one message for the whole
 * device needs 2024.11. A scene is one device there.
 * @param pageAddress of the scene's camera in the page
 */
export function discoveryOf(scene: NamedScene, topics: Topics, pageAddress: string): Discovery[] {
  const state = topics.state(scene);
  const device = {
    identifiers: [scene.sceneId],
    name: placeName(scene.deviceName, scene.name),
    manufacturer: MANUFACTURER,
    model: 'Queue analysis',
    sw_version: VERSION,
    configuration_url: pageAddress,
  };
  const isOnline = { topic: topics.status };
  const message = (component: string, key: string, config: object): Discovery => ({
    topic: topics.discovery(component, scene, key),
    config: { unique_id: `${scene.sceneId}_${key}`, ...config, device, origin: ORIGIN },
  });
  const of = (name: string, text: string) => ({
    name,
    state_topic: state,
    value_template: text,
    availability: [isOnline],
  });
  const measured = {
    availability: [
      isOnline,
      { topic: state, value_template: "{{ 'online' if value_json.measured else 'offline' }}" },
    ],
    availability_mode: 'all',
  };
  const numbers = SHOWN_NUMBERS.map((shown) =>
    isPossible(shown, scene)
      ? message('sensor', shown.key, {
          ...of(nameOf(shown), templateOf(shown)),
          ...measured,
          ...UNITS[shown.entry.unit],
          ...(shown.counts && { unit_of_measurement: shown.counts }),
          state_class: shown.entry.group === 'total' ? 'total_increasing' : 'measurement',
          icon: shown.icon,
          ...(shown.isDiagnostic && { entity_category: 'diagnostic' }),
        })
      : { topic: topics.discovery('sensor', scene, shown.key), config: null },
  );
  return [
    ...numbers,
    message('sensor', 'analysis', {
      ...of('Analysis', '{{ value_json.analysis }}'),
      entity_category: 'diagnostic',
    }),
    message('binary_sensor', 'camera', {
      // `unknown` is neither.
      ...of('Camera', "{{ {'online': 'ON', 'offline': 'OFF'}.get(value_json.camera, 'None') }}"),
      ...{ device_class: 'connectivity', entity_category: 'diagnostic' },
    }),
    message('binary_sensor', 'alert', {
      ...of('Alert', "{{ 'OFF' if value_json.alert == 'none' else 'ON' }}"),
      device_class: 'problem',
      json_attributes_topic: state,
      json_attributes_template: "{{ {'severity': value_json.alert} | tojson }}",
    }),
    message('event', 'alert_event', {
      name: 'Alert event',
      state_topic: topics.alert(scene),
      event_types: ['warning', 'critical'],
      availability: [isOnline],
      icon: 'mdi:bell-ring',
    }),
  ];
}

/** The topics of every entity that a scene may have had. */
export const discoveryTopics = (
  place: Pick<SceneNow, 'sceneId' | 'userId'>,
  topics: Topics,
): readonly string[] =>
  discoveryOf({ ...place, name: '', deviceName: '', zones: [] }, topics, '').map(({ topic }) => topic);

const isPossible = ({ entry }: ShownNumber, { zones }: NamedScene): boolean =>
  entry.zones.every((zone) => zones.includes(zone));

/** Sensors show what is now, unless they say otherwise. */
const nameOf = ({ entry }: ShownNumber): string => entry.label.replace(' (now)', '');

/** A metric that was not measured is null in the state and `None` here, which Home Assistant shows as unknown. */
function templateOf({ path, entry }: ShownNumber): string {
  const value = `value_json.${path}`;
  if (entry.unit !== 'share') return `{{ ${value} }}`;
  return `{{ None if ${value} is none else (${value} * 100) | round(1) }}`;
}
