import { Component, type ReactNode } from 'react';
import { Button } from '../kit/button.tsx';
import { Empty } from '../kit/states.tsx';
import { textNow } from '../text/text.ts';
import { tryAgain } from './new-version.ts';

interface FenceProps {
  /** A new place of the page is tried anew. */
  readonly place: string;
  readonly children: ReactNode;
}

/** Keeps a fault of one screen from taking the navigation away. */
export class ErrorFence extends Component<FenceProps, { readonly failedAt: string | null }> {
  override state: { readonly failedAt: string | null } = { failedAt: null };

  static getDerivedStateFromError(): { readonly failedAt: string } {
    return { failedAt: '?' };
  }

  override componentDidUpdate(before: FenceProps): void {
    if (before.place !== this.props.place && this.state.failedAt !== null) this.setState({ failedAt: null });
  }

  override render(): ReactNode {
    if (this.state.failedAt === null) return this.props.children;
    const retry = (
      <Button onClick={() => tryAgain(() => this.setState({ failedAt: null }))}>
        {textNow('common').retry}
      </Button>
    );
    return <Empty title={textNow('shell').broken} icon="warning" action={retry} />;
  }
}
