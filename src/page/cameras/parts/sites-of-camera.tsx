import { api, type Resource } from '../../api/client.ts';
import { useAction, useCall } from '../../api/query.ts';
import { LinkButton } from '../../kit/button.tsx';
import { Checkbox } from '../../kit/form/checkbox.tsx';
import { Section } from '../../kit/page.tsx';
import { Async, FormFailure } from '../../kit/states.tsx';
import { useText } from '../../text/text.ts';
import styles from '../cameras.module.css';

type Site = Resource<'Site'>;

/** In which sites the camera is. A tick is saved at once. */
export function SitesOfCamera({ deviceId }: { readonly deviceId: string }) {
  const t = useText('cameras');
  const sites = useCall(['sites', 'all'], () => api.GET('/sites', { params: { query: { limit: 100 } } }));
  const save = useAction(
    ({ site, isIn }: { readonly site: Site; readonly isIn: boolean }) => {
      const others = site.deviceIds.filter((id) => id !== deviceId);
      const deviceIds = isIn ? [...others, deviceId] : others;
      return api.PATCH('/sites/{id}', { params: { path: { id: site.id } }, body: { deviceIds } });
    },
    { changes: [['sites'], ['cameras']] },
  );
  return (
    <Section title={t.sitesOf}>
      <Async query={sites}>
        {(list) => (
          <div className={styles.choicesDown}>
            {list.length === 0 && <p>{t.siteEmpty}</p>}
            {list.map((site) => (
              <Checkbox
                key={site.id}
                label={site.name}
                isOn={
                  save.isPending && save.variables.site.id === site.id
                    ? save.variables.isIn
                    : site.deviceIds.includes(deviceId)
                }
                onChange={(isIn) => !save.isPending && save.mutate({ site, isIn })}
              />
            ))}
          </div>
        )}
      </Async>
      <FormFailure error={save.error} />
      <div>
        <LinkButton href="#/cameras/sites" kind="quiet">
          {t.sites}
        </LinkButton>
      </div>
    </Section>
  );
}
