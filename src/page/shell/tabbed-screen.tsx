import type { ReactNode } from 'react';
import { type Scope, useSession } from '../api/session.tsx';
import { Page } from '../kit/page.tsx';
import { Forbidden } from '../kit/states.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { goTo, usePlaceQuery } from './place.ts';

interface TabbedScreenProps<Tab extends string> {
  readonly scope: Scope;
  readonly title: string;
  /** What the tabs are, where the title does not say it. */
  readonly label?: string;
  /** The first is shown where the address names none. */
  readonly tabs: readonly [Tab, ...Tab[]];
  readonly names: Readonly<Record<Tab, string>>;
  /** The place of a tab. */
  readonly placeOf: (tab: Tab) => string;
  readonly children: (selected: Tab) => ReactNode;
}

/** A screen of tabs, whose address names the one that is shown. */
export function TabbedScreen<Tab extends string>(props: TabbedScreenProps<Tab>) {
  const { scope, title, label = title, tabs, names, placeOf, children } = props;
  const { may } = useSession();
  const asked = new URLSearchParams(usePlaceQuery()).get('tab');
  const selected = tabs.find((tab) => tab === asked) ?? tabs[0];
  return (
    <Page title={title}>
      {may(scope) ? (
        <Tabs
          label={label}
          tabs={tabs.map((id) => ({ id, label: names[id] }))}
          selected={selected}
          onSelect={(id) => goTo(placeOf(id), { replace: true })}
        >
          {children(selected)}
        </Tabs>
      ) : (
        <Forbidden scope={scope} />
      )}
    </Page>
  );
}
