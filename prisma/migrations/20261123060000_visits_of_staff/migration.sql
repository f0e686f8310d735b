-- The open visit of somebody who turns out to be staff: no number counts it from then on.
ALTER TYPE "VisitState" ADD VALUE 'discarded';
