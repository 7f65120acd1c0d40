# Runs a command in a root folder of its own, in a mount namespace: `in-root.sh PROGRAM FOLDER command…`. Mail servers of packages have
# fixed paths and users, and this leaves the machine's as they are. PROGRAM is an unpacked package, whose files are laid over the
# machine's; FOLDER is seen as /peer, and its passwd and group are added to the machine's.
set -eu
if [ "$1" != inside ]; then exec unshare --mount sh "$0" inside "$@"; fi
program=$2 folder=$3
shift 3
root=$folder/root
mkdir -p "$root"
mount -t tmpfs -o mode=755 tmpfs "$root"
mkdir -p "$root"/usr "$root"/etc "$root"/var/empty "$root"/var/spool/mail "$root"/var/log "$root"/tmp "$root"/run "$root"/dev "$root"/proc "$root"/peer
chmod 1777 "$root"/tmp "$root"/var/spool/mail
ln -s /run "$root"/var/run
for name in bin sbin lib lib64; do ln -s "usr/$name" "$root/$name"; done
mount -t overlay -o "lowerdir=$program/usr:/usr" overlay "$root"/usr
mount --bind /dev "$root"/dev
mount --bind /proc "$root"/proc
mount --bind "$folder" "$root"/peer
for name in nsswitch.conf hosts services protocols ld.so.conf ld.so.conf.d ld.so.cache localtime; do
  if [ -e "/etc/$name" ]; then cp -aL "/etc/$name" "$root"/etc/; fi
done
cp -a "$program"/etc/. "$root"/etc/
for name in passwd group; do cat "/etc/$name" "$folder/$name" > "$root/etc/$name"; done
exec chroot "$root" /bin/sh /peer/start "$@"
