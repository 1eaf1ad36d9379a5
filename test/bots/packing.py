"""Packs a project as the platform's own tool does before it sends it to the build.

    packing.py SERVER DIRECTORY

It unpacks what would be sent into DIRECTORY, which is where the image is built.
"""

import io
import sys
import tarfile
from pathlib import Path

import pipecatcloud.cli.config as cloud_config
from pipecatcloud._utils.build_utils import create_deterministic_tarball, get_exclusions
from pipecatcloud._utils.deploy_utils import load_deploy_config_file


def pack(server: Path) -> tarfile.TarFile:
    """The archive that `pipecat cloud deploy --config-file cloud-deploy.toml` would send."""
    cloud_config.deploy_config_path = str(server / "cloud-deploy.toml")
    build = load_deploy_config_file().build_config
    exclusions = get_exclusions(server, build.exclude_patterns)
    packed = create_deterministic_tarball(str(server), exclusions, build.dockerfile)
    return tarfile.open(fileobj=io.BytesIO(packed.tarball))


if __name__ == "__main__":
    with pack(Path(sys.argv[1])) as archive:
        archive.extractall(sys.argv[2], filter="data")
