#!/bin/sh
# Upgrades this machine to the build in a folder, one program after the other:
#
#   upgrade.sh /opt/video-analytics/0.2.0
#
# Each program is ready before the next one stops. To go back, give the folder of the version before: migrations only add.
set -eu
build=$1
link=${LINK:-/opt/video-analytics/current}
test -f "$build/dist/src/api.js" || { echo "$build has no build: npm ci && npm run build && npm prune --omit=dev" >&2; exit 1; }

before=$(readlink "$link" || true)
# A link replaces another one in one step only by its name.
point_to() { ln -s "$1" "$link.new" && mv -T "$link.new" "$link"; }
point_to "$build"
# Before any program stops, so that a migration that fails changes nothing.
if ! systemctl start video-analytics-migrate.service; then
  test -z "$before" || point_to "$before"
  echo "The migration failed, and no program was restarted: journalctl -u video-analytics-migrate" >&2
  exit 1
fi

# The port of the health checks of a unit, as its file has it.
port_of() { systemctl show --property=Environment --value "$1" | tr ' ' '\n' | sed -n 's/^METRICS_PORT=//p'; }

for unit in $(systemctl list-units --plain --no-legend --state=active 'video-analytics-api@*' 'video-analytics-worker@*' | cut -d ' ' -f 1); do
  echo "$unit"
  systemctl restart "$unit"
  # A worker may have to prepare its model first. While it does, it is active.
  until curl -fs -o /dev/null "http://127.0.0.1:$(port_of "$unit")/readyz"; do
    if ! systemctl is-active --quiet "$unit"; then
      echo "$unit does not run, and the others were left as they are: journalctl -u $unit" >&2
      exit 1
    fi
    sleep 1
  done
done
