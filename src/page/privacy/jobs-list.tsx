import type { ReactNode } from 'react';
import type { useList } from '../api/query.ts';
import { Failure, MoreButton } from '../kit/states.tsx';
import styles from './privacy.module.css';

interface JobsProps<Job> {
  readonly list: ReturnType<typeof useList<Job>>;
  readonly words: { readonly heading: string; readonly empty: string };
  readonly children: (job: Job) => ReactNode;
}

/** The exports or erasures that were asked for, newest first. */
export function Jobs<Job extends { readonly id: string }>({ list, words, children }: JobsProps<Job>) {
  return (
    <>
      <h3>{words.heading}</h3>
      {list.error && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && list.items.length === 0 && <p className={`note ${styles.hint}`}>{words.empty}</p>}
      <ul className="stack" role="list">
        {list.items.map((job) => (
          <li key={job.id}>{children(job)}</li>
        ))}
      </ul>
      <MoreButton list={list} />
    </>
  );
}
