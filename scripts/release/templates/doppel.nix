{ lib, stdenvNoCC, fetchurl }:

let
  version = "@VERSION@";
  sources = {
    x86_64-linux = { name = "linux-amd64"; sha256 = "@LINUX_AMD64@"; };
    aarch64-linux = { name = "linux-arm64"; sha256 = "@LINUX_ARM64@"; };
    x86_64-darwin = { name = "darwin-amd64"; sha256 = "@DARWIN_AMD64@"; };
    aarch64-darwin = { name = "darwin-arm64"; sha256 = "@DARWIN_ARM64@"; };
  };
  system = stdenvNoCC.hostPlatform.system;
  source = sources.${system} or (throw "doppel: no build for ${system}");
in
stdenvNoCC.mkDerivation {
  pname = "doppel";
  inherit version;

  src = fetchurl {
    url = "@DOWNLOAD@/doppel-${version}-${source.name}.tar.gz";
    inherit (source) sha256;
  };

  dontConfigure = true;
  dontBuild = true;

  installPhase = ''
    mkdir -p $out
    cp -R bin libexec share $out/
  '';

  meta = {
    description = "Find exact and near duplicates in datasets, files and mail";
    homepage = "@HOMEPAGE@";
    license = with lib.licenses; [ mit asl20 bsd2 bsd3 ];
    mainProgram = "doppel";
    platforms = builtins.attrNames sources;
    sourceProvenance = [ lib.sourceTypes.binaryNativeCode ];
  };
}
