/** What a view is. Those that there are stand in `views/all-views.ts`. */
import type { ComponentType } from 'preact';

export interface ViewProps {
  /** What the address says behind the view. */
  readonly rest: string;
  readonly query: URLSearchParams;
}

export interface View {
  /** The first part of the address. */
  readonly id: string;
  readonly title: string;
  /** What the palette calls the way to it. */
  readonly goTitle: string;
  /** `g p`. */
  readonly keys: string;
  /** The outline of its icon, in a field of 24 by 24. */
  readonly icon: string;
  readonly load: () => Promise<{ readonly default: ComponentType<ViewProps> }>;
}
