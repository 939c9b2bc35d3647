import { listed, type Options } from "../options.js";

export const DOCKER_BEFORE: Options = {
  flags: listed("-D --debug --tls --tlsverify"),
  values: listed("--config -c --context -H --host -l --log-level --tlscacert --tlscert --tlskey"),
};

/** As `docker run --help` has them. */
export const DOCKER_RUN: Options = {
  clusters: true,
  flags: listed(`
    -d --detach --disable-content-trust --init -i --interactive --no-healthcheck --oom-kill-disable
    --privileged -P --publish-all -q --quiet --read-only --rm --sig-proxy -t --tty --use-api-socket`),
  values: listed(`
    --add-host --annotation -a --attach --blkio-weight --blkio-weight-device --cap-add --cap-drop
    --cgroup-parent --cgroupns --cidfile --cpu-count --cpu-percent --cpu-period --cpu-quota --cpu-rt-period
    --cpu-rt-runtime -c --cpu-shares --cpus --cpuset-cpus --cpuset-mems --detach-keys --device
    --device-cgroup-rule --device-read-bps --device-read-iops --device-write-bps --device-write-iops --dns
    --dns-opt --dns-option --dns-search --domainname --entrypoint -e --env --env-file --expose --gpus
    --group-add --health-cmd --health-interval --health-retries --health-start-interval --health-start-period
    --health-timeout -h --hostname --io-maxbandwidth --io-maxiops --ip --ip6 --ipc --isolation
    --kernel-memory -l --label --label-file --link --link-local-ip --log-driver --log-opt --mac-address -m
    --memory --memory-reservation --memory-swap --memory-swappiness --mount --name --net --net-alias --network
    --network-alias --oom-score-adj --pid --pids-limit --platform -p --publish --pull --restart --runtime
    --security-opt --shm-size --stop-signal --stop-timeout --storage-opt --sysctl --tmpfs --ulimit -u --user
    --userns --uts -v --volume --volume-driver --volumes-from -w --workdir`),
};

export const PODMAN_BEFORE: Options = {
  flags: listed("-r --remote --noout --syslog"),
  values: listed(`
    --cgroup-manager --conmon -c --connection --events-backend --hooks-dir --identity --log-level --namespace
    --network-cmd-path --network-config-dir --root --runroot --runtime --runtime-flag --ssh --storage-driver
    --storage-opt --tmpdir --url --volumepath`),
};

/** Podman takes the options of Docker, and these. */
export const PODMAN_RUN: Options = {
  clusters: true,
  flags: [
    ...DOCKER_RUN.flags,
    ...listed(`
    --replace --rmi --read-only-tmpfs --env-host --http-proxy --no-hosts --no-hostname --tls-verify --passwd
    --unsetenv-all`),
  ],
  values: [
    ...DOCKER_RUN.values,
    ...listed(`
    --arch --os --variant --authfile --pod --secret --tz --umask --systemd --cgroup-conf --cgroups --chrootdirs
    --conmon-pidfile --env-merge --gidmap --health-on-failure --hostuser --image-volume --init-path
    --passwd-entry --personality --pidfile --pod-id-file --preserve-fds --requires --sdnotify --seccomp-policy
    --subgidname --subuidname --timeout --uidmap --unsetenv`),
  ],
  // With it the word that follows is a folder, and no image.
  other: ["--rootfs"],
};
